/*
 * bf_hash.c - the hash of filters that BF.* commands make
 */
#include "bf_hash.h"

#include <string.h>

#define FACTOR UINT64_C(0xc6a4a7935bd1e995)
enum { SHIFT = 47, WORD = 8 };

static uint64_t fold(uint64_t x)
{
    return x ^ x >> SHIFT;
}

/* The next bytes as a little-endian number, at most eight of them. */
static uint64_t word_at(const char *at, size_t len)
{
    uint64_t word = 0;

    memcpy(&word, at, len < WORD ? len : WORD);
    return word;
}

uint64_t bf_murmur(const char *at, size_t len, uint64_t seed)
{
    uint64_t h = seed ^ len * FACTOR;

    for (; len >= WORD; at += WORD, len -= WORD)
        h = (h ^ fold(word_at(at, len) * FACTOR) * FACTOR) * FACTOR;
    if (len > 0)
        h = (h ^ word_at(at, len)) * FACTOR;
    return fold(fold(h) * FACTOR);
}

struct bf_hash bf_hash(const char *item, size_t len)
{
    struct bf_hash hash = {.a = bf_murmur(item, len, FACTOR)};

    hash.b = bf_murmur(item, len, hash.a);
    return hash;
}
