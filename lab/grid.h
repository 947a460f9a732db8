/*
 * grid.h - many measurements, side by side
 *
 * An experiment's product of streams, algorithms, memories and seeds becomes
 * cells.  All that can be refused is refused while cells are added: before the
 * first minute, not after the last.
 */
#ifndef GRID_H
#define GRID_H

#include "algorithm_spec.h"
#include "experiment.h"
#include "measure.h"
#include "result_row.h"

struct cell {
    const struct stream *stream;
    struct algorithm_spec spec;
    struct measure measure;
    uint64_t filter, need; /* bytes: of the filter, of all */
    struct row input;      /* the columns that say what is measured */
    char *skipped;         /* why it cannot be made; NULL: it can */
    enum { CELL_WAITS, CELL_RUNS, CELL_DONE } state;
    unsigned together; /* cells that ran at the same time, at most */
    struct row *row;   /* when done: points, then the whole stream */
    size_t rows;
};

struct grid {
    struct cell *cell; /* in the order of the experiments */
    size_t cells;
    struct stream **stream;
    size_t streams;
};

/*
 * A file's keys in place of streams: those of one seed, and in words which
 * part of a record was the key.
 */
struct grid_recording {
    const struct input_keys *recording;
    const char *name, *key;
    uint64_t seed;
};

/*
 * Add an experiment's cells.  Its texts must outlive the grid.  With skip,
 * what an algorithm cannot do is noted in its cell and not an error.  False
 * and a sentence.
 */
bool grid_add(struct grid *g, const struct experiment *e,
              const struct grid_recording *from, bool skip, struct fault *why);

/* Take these for done: they were measured before. */
void grid_take(struct cell *c, const struct row *row, size_t rows);

/*
 * Run all cells that wait, `jobs` at a time if memory allows.  Each that is
 * done is handed to done() on this thread.  Returns 0, the first other value of
 * done(), which ends the run, or -1 and a sentence.
 */
int grid_run(struct grid *g, size_t jobs,
             int (*done)(void *context, struct cell *c), void *context,
             struct fault *why);

void grid_free(struct grid *g);

#endif
