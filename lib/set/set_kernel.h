/*
 * set_kernel.h - the hot loops, compiled once per instruction set
 *
 * A key's i-th bit lies in word (start + i) mod 8 of its line, at a place given
 * by six bits of its hash; start is the hash's top three bits.  So the same few
 * vector instructions compute the bits of all eight words, whatever k is.
 *
 * The including file defines line_add(), which returns whether a line has all
 * of a key's bits, and sets them if it is told to.
 */
#ifndef FR_SET_KERNEL_H
#define FR_SET_KERNEL_H

#include "parts/batched.h"
#include "parts/bits.h"

static inline uint64_t *set_line(const struct set *s, freshet_hash key)
{
    return (uint64_t *)(uintptr_t)(s->word + fr_reduce(key.hi, s->lines) * 8);
}

static inline void set_touch(const struct set *s, freshet_hash key,
                             uint64_t ahead)
{
    (void)ahead;
    FR_PREFETCH(set_line(s, key));
}

static inline uint8_t set_probe(const struct set *s, freshet_hash key)
{
    return line_add(set_line(s, key), key, s->k, false);
}

static inline uint8_t set_step(struct set *s, freshet_hash key)
{
    return line_add(set_line(s, key), key, s->k, true);
}

FR_BATCHED(set)

#define FR_SET_PATH(path)                                                      \
    const struct fr_set_path fr_set_##path = {                                 \
        .name = #path,                                                         \
        .offer = set_offer,                                                    \
        .query = set_query,                                                    \
    }

#endif
