/*
 * settled.c - finds out whether a filter that is filled with new keys has
 * settled
 */
#include "settled.h"

#include <math.h>

/* Returns the share of slots in use, or NaN if the filter does not know it. */
static double share_used(const freshet *f)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(f, &info);
    if (info.used == FRESHET_UNKNOWN || info.slots == 0)
        return (double)NAN;
    return (double)info.used / (double)info.slots;
}

struct settled settled_begin(const freshet *f)
{
    size_t bytes;

    (void)freshet_block(f, &bytes);
    return (struct settled){.bits = bytes * 8};
}

bool settled_after(struct settled *s, const freshet *f, uint64_t keys)
{
    double before = s->used;

    s->used = share_used(f);
    return s->used >= 0.99 || s->used - before < 0.01 * s->used ||
           keys >= s->bits;
}
