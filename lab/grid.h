/*
 * grid.h - many measurements, run in parallel
 *
 * The product of streams, algorithms, memories and seeds of an experiment
 * becomes cells.  Errors are reported while cells are added, before anything is
 * measured.
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
    uint64_t filter, need; /* bytes of the filter, and of everything */
    struct row input;      /* the columns that describe what is measured */
    char *skipped;         /* why it cannot be made; NULL: it can */
    enum { CELL_WAITS, CELL_RUNS, CELL_DONE } state;
    unsigned together; /* most cells that ran at the same time */
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
 * The keys of a file instead of streams: those of one seed, and a description
 * of the key.
 */
struct grid_recording {
    const struct input_keys *recording;
    const char *name, *key;
    uint64_t seed;
};

/*
 * Adds the cells of an experiment.  Its texts must outlive the grid.  With
 * skip, an algorithm that cannot be used is noted in its cell and is not an
 * error.  Returns false and sets *why on error.
 */
bool grid_add(struct grid *g, const struct experiment *e,
              const struct grid_recording *from, bool skip, struct fault *why);

/* Uses these rows, which were measured before: the cell is done. */
void grid_reuse(struct cell *c, const struct row *row, size_t rows);

/*
 * Runs all waiting cells, `jobs` at a time if memory allows.  Each finished
 * cell is passed to done() on this thread.  Returns 0, the first other value of
 * done(), which ends the run, or -1 and sets *why.
 */
int grid_run(struct grid *g, size_t jobs,
             int (*done)(void *context, struct cell *c), void *context,
             struct fault *why);

void grid_free(struct grid *g);

#endif
