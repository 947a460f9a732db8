/*
 * server_stats.c - what INFO tells about all filters of the server together
 */
#include "server_stats.h"

#include <stdatomic.h>

#include "freshet.h"
#include "partial_load.h"

/* Filters are freed by the server's threads, too. */
static atomic_llong filters, bytes;

/* The rest happens in commands, one at a time. */
static uint64_t offered, fresh, repeated;

void server_stats_count(int more_filters, long long more_bytes)
{
    atomic_fetch_add_explicit(&filters, more_filters, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, more_bytes, memory_order_relaxed);
}

void server_stats_decided(uint64_t more_offered, uint64_t more_fresh)
{
    offered += more_offered;
    fresh += more_fresh;
}

void server_stats_repeated(void)
{
    repeated++;
}

static unsigned long long load(atomic_llong *count)
{
    return (unsigned long long)atomic_load_explicit(count,
                                                    memory_order_relaxed);
}

void server_stats_inform(rm_report *report, int for_crash)
{
    (void)for_crash;
    if (rm.InfoAddSection(report, "filters") != RM_OK)
        return;
    rm.InfoAddFieldCString(report, "version", freshet_version());
    rm.InfoAddFieldULongLong(report, "filters", load(&filters));
    rm.InfoAddFieldULongLong(report, "bytes", load(&bytes));
    rm.InfoAddFieldULongLong(report, "offered", offered);
    rm.InfoAddFieldULongLong(report, "new", fresh);
    rm.InfoAddFieldULongLong(report, "answers_repeated", repeated);
    rm.InfoAddFieldULongLong(report, "loads_unfinished", partial_load_count());
}
