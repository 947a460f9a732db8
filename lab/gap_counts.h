/*
 * gap_counts.h - counts the distances of repeats of recorded keys
 */
#ifndef GAP_COUNTS_H
#define GAP_COUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include "freshet.h"
#include "input_keys.h"

/* Eight for each doubling: a gap represents those within a tenth of it. */
enum { GAP_COUNTS = 8 * 64 };

struct gap_counts {
    freshet_gap gap[GAP_COUNTS]; /* in the order of their spans */
    size_t n;                    /* 0: no key repeats */
};

/* Returns false if there is no memory. */
bool gap_counts_make(struct gap_counts *to, const struct input_keys *keys);

#endif
