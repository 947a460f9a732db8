/*
 * server_stats.c - the section of INFO about all filters of the server
 */
#include "server_stats.h"

#include <stdatomic.h>

#include "block_memory.h"
#include "freshet.h"
#include "partial_load.h"

/* Atomic, since the server's background threads free filters. */
static atomic_llong filters;

/* Commands, which run one at a time, count the rest. */
static uint64_t offered, fresh, repeated, forgotten;

void server_stats_count(int more)
{
    atomic_fetch_add_explicit(&filters, more, memory_order_relaxed);
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

void server_stats_forgotten(void)
{
    forgotten++;
}

void server_stats_inform(rm_report *report, int for_crash)
{
    (void)for_crash;
    if (rm.InfoAddSection(report, "filters") != RM_OK)
        return;
    rm.InfoAddFieldCString(report, "version", freshet_version());
    rm.InfoAddFieldULongLong(report, "filters",
                             (unsigned long long)
                                 atomic_load_explicit(&filters,
                                                      memory_order_relaxed));
    rm.InfoAddFieldULongLong(report, "bytes", room_total());
    rm.InfoAddFieldULongLong(report, "offered", offered);
    rm.InfoAddFieldULongLong(report, "new", fresh);
    rm.InfoAddFieldULongLong(report, "answers_repeated", repeated);
    rm.InfoAddFieldULongLong(report, "clients_forgotten", forgotten);
    rm.InfoAddFieldULongLong(report, "loads_unfinished", partial_load_count());
}
