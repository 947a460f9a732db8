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

/* Prefetch distance.  A key has one line and takes little time otherwise:
   measured on Zen 4 with AVX-512, 1 GiB takes 6.1 ns a record, and 7.2 ns at a
   distance of 32; 48 and 128 lie between. */
enum { SET_AHEAD = 64 };

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

FR_ROLLING(set, offer, FR_MUTABLE, step, SET_AHEAD)
FR_ROLLING(set, query, const, probe, SET_AHEAD)

#define FR_SET_PATH(path)                                                      \
    const struct fr_set_path fr_set_##path = {                                 \
        .name = #path,                                                         \
        .offer = set_offer,                                                    \
        .query = set_query,                                                    \
    }

#endif
