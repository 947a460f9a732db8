/*
 * settled.h - has a filter settled that is given new keys?
 */
#ifndef SETTLED_H
#define SETTLED_H

#include <stdbool.h>
#include <stdint.h>

#include <freshet.h>

struct settled {
    uint64_t bits; /* of the filter */
    double used;   /* share of its slots, when it was last looked at */
};

struct settled settled_begin(const freshet *f);

/*
 * To be asked after so many new keys, each time twice as many.  Yes, if the
 * doubling added less than 1 % to the slots in use, or 99 % are, or one key
 * for each bit has come.
 */
bool settled_after(struct settled *s, const freshet *f, uint64_t keys);

#endif
