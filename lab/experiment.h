/*
 * experiment.h - an experiment: streams x algorithms x memories x seeds
 *
 * An experiment is data.  Options of the command line and lines of a .lab file
 * both set it by name, through one table:
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
 * Lines that begin with # are comments.  doc/lab.md describes all of it.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

enum { EXPERIMENT_LIST = 64, EXPERIMENT_NAME = 64 }; /* limits */

/* The planner is told the true number of distinct keys. */
#define EXPECT_TRUTH UINT64_MAX

struct experiment {
    char name[EXPERIMENT_NAME]; /* "" if none */
    size_t streams, algorithms, memories, seeds;
    char *stream[EXPERIMENT_LIST], *algorithm[EXPERIMENT_LIST]; /* specs */
    uint64_t memory[EXPERIMENT_LIST], seed[EXPERIMENT_LIST];
    double error;    /* 0: the library's default */
    uint64_t expect; /* distinct keys, EXPECT_TRUTH, or 0: unknown */
    uint64_t window; /* in records; 0: none */
    int goal;        /* FRESHET_GOAL_ */
    uint64_t curve;  /* points along the stream; 0: none */
};

/* Adds the value to a list, or sets it.  Returns false and sets *why on
   error. */
bool experiment_set(struct experiment *e, const char *name, const char *value,
                    struct fault *why);

/* Checks that the experiment is complete, and sets memory and seed to their
   defaults if they are missing. */
bool experiment_complete(struct experiment *e, struct fault *why);

void experiment_free(struct experiment *e);

/*
 * Reads and checks all n experiments of a .lab file.  Returns NULL and sets
 * *why, with the number of the line, on error.
 */
struct experiment *experiment_read(const char *path, size_t *n,
                                   struct fault *why);

#endif
