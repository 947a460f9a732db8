/*
 * output_block.h - what some records add to an output, ready to be written
 */
#ifndef OUTPUT_BLOCK_H
#define OUTPUT_BLOCK_H

#include "output_mode.h"
#include "sink.h"
#include "view.h"

/* All zero: nothing. */
struct output_block {
    struct view bytes; /* where the records stand, or in the copy */
    char *copy;
    size_t room; /* of the copy */
};

/* Have room for this many bytes.  Returns false if there is no memory. */
bool output_block_reserve(struct output_block *b, size_t room);
void output_block_free(struct output_block *b);

/*
 * Put together those of n records that the mode shows, each with its delimiter,
 * which stands behind it.  The records follow each other in memory; they are
 * copied unless the ones shown do so, too.  Returns false if there is no
 * memory.
 */
bool output_block_fill(struct output_block *b, const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n);

/* Returns -1 and errno if writing fails.  The records are those that the block
   was filled with. */
int output_block_write(const struct output_block *b, struct sink *s,
                       const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n);

#endif
