/*
 * settled.h - finds out whether a filter that is filled with new keys has
 * settled
 */
#ifndef SETTLED_H
#define SETTLED_H

#include <stdbool.h>
#include <stdint.h>

#include <freshet.h>

struct settled {
    uint64_t bits; /* size of the filter in bits */
    double used;   /* share of its slots that were in use at the last call */
};

struct settled settled_begin(const freshet *f);

/*
 * To be called after a number of new keys that doubles from call to call.
 * Returns true if the doubling added less than 1 % to the slots in use, or 99 %
 * of them are in use, or one key for each bit has come.
 */
bool settled_after(struct settled *s, const freshet *f, uint64_t keys);

#endif
