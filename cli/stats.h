/*
 * stats.h - what a run did so far, on stderr
 */
#ifndef STATS_H
#define STATS_H

#include "freshet.h"
#include "pipeline.h"

enum { STATS_NONE, STATS_TEXT, STATS_JSON };

/* A clock that only goes forward, also while the machine sleeps; ns. */
uint64_t stats_clock(void);

/* started is by that clock. */
void stats_print(const struct pipeline *p, int how, uint64_t started);

#endif
