/*
 * lab_output.h - what the measuring commands of the laboratory share
 */
#ifndef LAB_OUTPUT_H
#define LAB_OUTPUT_H

#include "grid.h"
#include "result_file.h"

struct lab_output {
    const char *path; /* the file of results; NULL: none is kept */
    uint64_t jobs;    /* measurements at a time; 0: as many as cores */

    /* Called for each cell that is measured, or was measured before.  Returns a
       status as cli_finish(). */
    int (*done)(void *context, struct cell *c);
    void *context;

    struct results results;
};

/*
 * Opens the file of results.  A new file begins with command, machine and
 * build.  Returns CLI_GO, or CLI_TROUBLE after a message; to be closed in any
 * case.
 */
int lab_output_open(struct lab_output *o, const char *command);

/* Takes the results that the file has: their cells are not run again. */
void lab_output_take(const struct lab_output *o, struct grid *g);

/* Returns the number of measurements that run at a time. */
size_t lab_output_jobs(const struct lab_output *o);

/* Runs all remaining cells and stores their results.  Returns a status. */
int lab_output_run(struct lab_output *o, struct grid *g);

void lab_output_close(struct lab_output *o);

#endif
