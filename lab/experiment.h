/*
 * experiment.h - what is to be measured: streams x algorithms x memories x
 * seeds
 *
 * An experiment is data.  Options of the command line and lines of a .lab
 * file both set it by name, through one table:
 *
 *     # uniform streams, small
 *     [name]
 *     stream = uniform:n=1e6,distinct=15%
 *     algorithm = sbf:k=2,p=4
 *     algorithm = auto
 *     memory = 64K, 128K
 *     seeds = 1, 2, 3
 *
 * A [name] begins another experiment; without one a file holds a single one.
 * Lines that begin with # are comments.  doc/lab.md has the whole of it.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

enum { EXPERIMENT_LIST = 64, EXPERIMENT_NAME = 64 }; /* at most */

/* Distinct keys that the planner is told to expect: as many as there are. */
#define EXPECT_TRUTH UINT64_MAX

struct experiment {
    char name[EXPERIMENT_NAME]; /* "" if none */
    size_t streams, algorithms, memories, seeds;
    char *stream[EXPERIMENT_LIST], *algorithm[EXPERIMENT_LIST]; /* specs */
    uint64_t memory[EXPERIMENT_LIST], seed[EXPERIMENT_LIST];
    double error;    /* wanted; 0: the library's own */
    uint64_t expect; /* distinct keys, EXPECT_TRUTH, or 0: not told */
    uint64_t window; /* records; 0: none */
    int goal;        /* FRESHET_GOAL_ */
    uint64_t curve;  /* points along the stream; 0: none */
};

/* Add to a list, or set, what stands in value.  False and a sentence. */
bool experiment_set(struct experiment *e, const char *name, const char *value,
                    struct fault *why);

/* Is there all it needs?  Gives memory and seed their defaults. */
bool experiment_settle(struct experiment *e, struct fault *why);

void experiment_free(struct experiment *e);

/*
 * All of a .lab file, n of them, each settled.  NULL and a sentence with the
 * line it is about.
 */
struct experiment *experiment_read(const char *path, size_t *n,
                                   struct fault *why);

#endif
