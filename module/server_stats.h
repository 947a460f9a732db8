/*
 * server_stats.h - what INFO tells about all filters of the server together
 */
#ifndef SERVER_STATS_H
#define SERVER_STATS_H

#include "api.h"

/* Count filters that were made or, below 0, freed; any thread may call it. */
void server_stats_count(int filters);

/* Keys decided, and how many of them were new, since the server started. */
void server_stats_decided(uint64_t offered, uint64_t fresh);

/* Count a request that came twice and got its first answer again. */
void server_stats_repeated(void);

/* Count a client whose last answer was given up for another's. */
void server_stats_forgotten(void);

rm_inform server_stats_inform;

#endif
