/*
 * stream.h - what the accuracy programs share: keys, streams and counts
 *
 * They see freshet.h alone: what they measure is what any program would get.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "freshet.h"

enum { BATCH = 256 };

/* Verdicts against the truth. */
struct counts {
    uint64_t fresh, dropped; /* new keys; of them, called repeats */
    uint64_t asked, missed;  /* repeats; of them, called new */
};

/* Complain as "accuracy: ..." and leave with status 2. */
void die(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/* A filter, or the end. */
freshet *open_filter(const freshet_options *options);

freshet_info info_of(const freshet *f);

/* Offer the numbers from..from + n as keys; how many were new. */
uint64_t offer_range(freshet *f, uint64_t from, uint64_t n);

/* Ask about them only; how many the filter calls new. */
uint64_t query_range(const freshet *f, uint64_t from, uint64_t n);

/*
 * 95 of 100 times the true rate is below this, after count events in n trials
 * that are rare: where Poisson gives as few with a chance of 5 %.
 */
double rate_below(uint64_t count, uint64_t n);

/* Machine, build and command, each line behind the prefix. */
void print_head(const char *prefix, int argc, char **argv);

#endif
