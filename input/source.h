/*
 * source.h - the interface of sources of records
 *
 * A source hands out its bytes in chunks of whole records.  claim() is called
 * in order by one thread, and decides which bytes come next; load() may be
 * called by any thread, for several chunks at the same time, and reads the
 * bytes.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "view.h"

/* How bytes are divided into records. */
struct framing {
    bool csv;       /* a record ends at a newline outside quotes */
    char delimiter; /* ends a record otherwise */
    char separator; /* separator of CSV columns */
    size_t most;    /* longest record, without its delimiter */
};

struct chunk {
    char *buffer; /* size + 1 bytes: one is spare for a delimiter */
    size_t size;
    size_t start, end; /* the bytes that are not split into records yet */
    uint64_t offset;   /* offset of buffer[0] in the input */
    uint64_t bytes;    /* bytes of the input read for it */
    bool last;         /* the input ends here; if claim() sets it, all of it is
                          one record without a delimiter */
    bool is_loaded;    /* the bytes are in the buffer */

    struct view *record;
    size_t n, capacity;  /* of record */
    bool is_split;       /* its records were found by claim() */
    uint64_t open_quote; /* CSV: line of the quote that is open at the end,
                            or 0 */
    bool is_too_long;    /* the record at start is longer than allowed */
};

/* Allocates room for size bytes and this many records.  Returns false if there
   is no memory; to be freed in any case. */
bool chunk_init(struct chunk *c, size_t size, size_t records);
void chunk_free(struct chunk *c);

enum source_result {
    SOURCE_CHUNK, /* at least one record, or one that is too long */
    SOURCE_AGAIN, /* a signal came, or no record is complete yet */
    SOURCE_END,
    SOURCE_FAILED
};

struct source;

struct source_type {
    enum source_result (*claim)(struct source *s, struct chunk *c,
                                struct fault *why);
    /* Returns false and sets *why if the bytes cannot be read. */
    bool (*load)(const struct source *s, struct chunk *c, struct fault *why);
    /* Returns whether claim() would not wait for a writer. */
    bool (*is_ready)(const struct source *s);
    /* Returns whether claim() has much at hand, and need not wait for a thread
       that decompresses. */
    bool (*has_plenty)(const struct source *s);
    void (*free)(struct source *s);
};

struct source {
    const struct source_type *type;
    struct framing framing;
    size_t window;    /* bytes of a chunk, unless a record is longer */
    const char *name; /* name for messages */
    int fd;           /* readable when there may be more input; -1: always */
};

#endif
