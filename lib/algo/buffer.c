/*
 * buffer.c - an exact cache of the most recently used keys
 *
 * The buffering that F. Deng and D. Rafiei compare their stable Bloom filter
 * with (SIGMOD 2006, sections 2.2 and 5.2), after Broder et al.: 64-bit
 * fingerprints, a hash table to find them, and eviction of the least recently
 * used one.  A repeat is seen if fewer different keys came since than fit; a
 * new key is called seen with probability 2^-64 per stored key.
 *
 * Unlike in the paper, memory includes the index and the links.
 */
#include "parts/lru.h"

static const freshet_parameter buffer_params[] = {{0}};

static size_t buffer_plan(void *state, const struct fr_goal *goal)
{
    return lru_plan(state, goal, 0);
}

static bool buffer_check(const void *state, size_t bytes)
{
    const struct lru *s = state;

    return s->q == 0 && lru_check(state, bytes);
}

const struct fr_algo fr_buffer = {
    .about = {.name = "buffer",
              .title = "exact cache of the keys used last",
              .paper = "Deng and Rafiei, SIGMOD 2006, section 5.2",
              .can = FRESHET_CAN_FORGET | FRESHET_CAN_PROMISE},
    .id = FR_ID('b', 'u', 'f', '1'),
    .params = buffer_params,
    .plan = buffer_plan,
    .check = buffer_check,
    LRU_VERBS,
};
