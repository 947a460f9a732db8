/*
 * flawed_sbf.c - a filter with a flaw, which a published column came from
 */
#include "flawed_sbf.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

struct flawed_sbf {
    uint64_t cells, random;
    unsigned k, p;
    uint64_t word[]; /* cells of a bit */
};

const char *flawed_sbf_of(const char *algorithm)
{
    return strcmp(algorithm, "sbf31") == 0 ? "sbf" : NULL;
}

struct flawed_sbf *flawed_sbf_create(const freshet *sound)
{
    freshet_info info = {.size = sizeof info};
    struct flawed_sbf *a;
    unsigned d;

    freshet_get_info(sound, &info);
    a = calloc(1, sizeof *a + info.slots / 8 + 8);
    if (!a)
        return NULL;
    a->cells = info.slots;
    a->random = info.seed;
    a->k = 2;
    a->p = 4;
    sscanf(info.params, "d=%u,k=%u,p=%u", &d, &a->k, &a->p);
    return a;
}

void flawed_sbf_free(struct flawed_sbf *a)
{
    free(a);
}

/* splitmix64 */
static uint64_t draw(struct flawed_sbf *a)
{
    uint64_t z = a->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t reduce(uint64_t random, uint64_t range)
{
    return (uint64_t)((u128)random * range >> 64);
}

static uint8_t offer(struct flawed_sbf *a, freshet_hash key)
{
    uint64_t at = reduce(draw(a), a->cells / 2); /* the flaw */
    uint64_t cell[32];
    uint8_t seen = 1;

    for (unsigned i = 0; i < a->k; i++) {
        cell[i] = reduce(key.lo + i * key.hi, a->cells);
        seen &= (uint8_t)(a->word[cell[i] / 64] >> cell[i] % 64 & 1);
    }
    for (unsigned i = 0; i < a->p; i++, at++)
        a->word[at / 64] &= ~(UINT64_C(1) << at % 64);
    for (unsigned i = 0; i < a->k; i++)
        a->word[cell[i] / 64] |= UINT64_C(1) << cell[i] % 64;
    return seen;
}

size_t flawed_sbf_offer(struct flawed_sbf *a, const freshet_hash *key, size_t n,
                        uint8_t *seen)
{
    size_t fresh = 0;

    for (size_t i = 0; i < n; i++) {
        seen[i] = offer(a, key[i]);
        fresh += !seen[i];
    }
    return fresh;
}
