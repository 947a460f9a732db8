/*
 * server_stats.h - what INFO tells about all filters of the server together
 */
#ifndef SERVER_STATS_H
#define SERVER_STATS_H

#include "api.h"

/* Filters made or freed, and their bytes; any thread may call it. */
void census_count(int filters, long long bytes);

/* Keys decided, and how many of them were new, since the server started. */
void census_decided(uint64_t offered, uint64_t fresh);

/* A request that came twice and got its first answer again. */
void census_repeated(void);

rm_inform census_inform;

#endif
