/*
 * server_stats.h - the section of INFO about all filters of the server
 */
#ifndef SERVER_STATS_H
#define SERVER_STATS_H

#include "api.h"

/* Adds to the number of filters; a negative number for those freed.  Any
   thread may call it. */
void server_stats_count(int filters);

/* Adds to the numbers of keys decided, and of new ones among them, since the
   server started. */
void server_stats_decided(uint64_t offered, uint64_t fresh);

/* Counts a request that came twice and got its first answer again. */
void server_stats_repeated(void);

/* Counts a client whose last answer was removed to keep another one's. */
void server_stats_forgotten(void);

rm_inform server_stats_inform;

#endif
