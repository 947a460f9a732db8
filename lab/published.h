/*
 * published.h - the rates that papers print
 *
 * They are those of lab/published/tables.csv, which is compiled in.
 */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One cell of a table: an algorithm on a stream in a memory. */
struct published {
    char source[8]; /* "bera" */
    unsigned table;
    char algorithm[16];
    uint64_t records;
    double distinct;           /* percent */
    uint64_t memory;           /* bytes */
    unsigned k;                /* partitions, or tables of isqf */
    double fpr, fnr;           /* percent; NaN: not printed */
    double fpr_half, fnr_half; /* half a unit of the last printed digit */
};

/* Returns cell i of all tables, in order.  Returns false after the last. */
bool published_at(size_t i, struct published *out);

enum { PUBLISHED_NAME = 16 };

/* Writes a name such as "bera7". */
const char *published_name(char out[PUBLISHED_NAME], const struct published *p);

enum { PUBLISHED_FILTER = 32 };

/* Writes a filter with its parameter, such as "bsbf k=2" or "isqf m=4". */
const char *published_filter(char out[PUBLISHED_FILTER],
                             const struct published *p);

#endif
