/*
 * bench_stream.h - keys that cost little time compared with a filter
 */
#ifndef BENCH_STREAM_H
#define BENCH_STREAM_H

#include "freshet.h"

__extension__ typedef unsigned __int128 bench_u128;

/* Maps x to [0, n). */
static inline uint64_t bench_reduce(uint64_t x, uint64_t n)
{
    return (uint64_t)((bench_u128)x * n >> 64);
}

/* The finalizer of MurmurHash3: a bijection whose results look random. */
static inline uint64_t bench_mix(uint64_t x)
{
    x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

/* Returns a key in place of hashing a record.  The second half costs one more
   multiplication: it depends on all of the first half. */
static inline freshet_hash bench_key(uint64_t key)
{
    uint64_t lo = bench_mix(key);
    uint64_t hi = lo * UINT64_C(0xd6e8feb86659fd93);

    return (freshet_hash){lo, hi ^ (hi >> 32)};
}

/* Returns a random number from a state that only counts (Wang Yi's wyrand). */
static inline uint64_t bench_roll(uint64_t *dice)
{
    bench_u128 product;

    *dice += UINT64_C(0xa0761d6478bd642f);
    product = (bench_u128)*dice * (*dice ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

struct bench_stream {
    uint64_t first, next; /* new keys so far: from first up to, but without,
                             next */
    uint64_t gap;         /* a repeat has the key that came 1 to gap new keys
                             ago */
    uint64_t dice;        /* state of the random numbers */
    uint64_t half;        /* 1: half of the records are repeats; 0: none */
};

/*
 * Makes the next n records and marks the repeats among them.  Returns the
 * number of repeats.  There is no branch on the random bit: it would be
 * mispredicted every other time.
 */
static inline uint64_t bench_stream_next(struct bench_stream *s,
                                         freshet_hash *key, uint8_t *repeat,
                                         uint64_t n)
{
    uint64_t dice = s->dice, next = s->next, repeats = 0;
    uint64_t gap = next - s->first < s->gap ? next - s->first : s->gap;

    if (!s->half || gap == 0) {
        for (uint64_t i = 0; i < n; i++) {
            key[i] = bench_key(next + i);
            repeat[i] = 0;
        }
        s->next += n;
        return 0;
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t random = bench_roll(&dice), coin = random & 1;
        uint64_t back = 1 + bench_reduce(random, gap);

        key[i].lo = next - (back & -coin);
        repeat[i] = (uint8_t)coin;
        next += 1 - coin;
        repeats += coin;
    }
    for (uint64_t i = 0; i < n; i++) /* a loop of its own, so that it can be
                                        vectorized */
        key[i] = bench_key(key[i].lo);
    s->dice = dice;
    s->next = next;
    return repeats;
}

#endif
