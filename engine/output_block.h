/*
 * output_block.h - the output of some records, ready to be written
 */
#ifndef OUTPUT_BLOCK_H
#define OUTPUT_BLOCK_H

#include "output_mode.h"
#include "sink.h"
#include "view.h"

/* All zero: empty. */
struct output_block {
    struct view bytes; /* in the records themselves, or in the copy */
    char *copy;
    size_t room; /* size of the copy */
};

/* Makes room for this many bytes.  Returns false if there is no memory. */
bool output_block_reserve(struct output_block *b, size_t room);
void output_block_free(struct output_block *b);

/*
 * Assembles those of n records that the mode shows, each with the delimiter
 * that follows it.  The records are contiguous in memory; they are copied
 * unless the ones shown are contiguous, too.  Returns false if there is no
 * memory.
 */
bool output_block_fill(struct output_block *b, const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n);

/* Returns -1 and sets errno if writing fails.  The records must be those that
   the block was filled with. */
int output_block_write(const struct output_block *b, struct sink *s,
                       const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n);

#endif
