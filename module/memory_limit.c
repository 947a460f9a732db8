/*
 * memory_limit.c - how much memory all filters may have: freshet.max-memory
 */
#include "memory_limit.h"

#include "api.h"
#include "block_memory.h"
#include "machine.h"

long long memory_limit;

long long memory_limit_default(void)
{
    /* No machine has 2^63 bytes.
       NOLINTNEXTLINE(bugprone-misplaced-widening-cast) */
    return (long long)(machine_memory() / 4 * 3);
}

uint64_t memory_limit_left(void)
{
    uint64_t limit = (uint64_t)memory_limit, used = room_total();

    if (!limit)
        return UINT64_MAX;
    return used <= limit ? limit - used : 0;
}

bool memory_limit_allows(uint64_t bytes)
{
    return rm.GetContextFlags(NULL) & (RM_LOADING | RM_REPLICA) ||
           bytes <= memory_limit_left();
}
