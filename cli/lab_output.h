/*
 * lab_output.h - the file of results of the laboratory's commands
 */
#ifndef LAB_OUTPUT_H
#define LAB_OUTPUT_H

#include "grid.h"
#include "result_file.h"

struct lab_output {
    const char *path; /* path of the file; NULL: there is none */
    uint64_t jobs;    /* measurements at a time; 0: the number of cores */

    /* Called for each cell that is measured, or was measured before.  Returns a
       status, as cli_finish() does. */
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

/* Uses the results in the file: their cells are not measured again. */
void lab_output_reuse(const struct lab_output *o, struct grid *g);

/* Returns the number of measurements that run at a time. */
size_t lab_output_jobs(const struct lab_output *o);

/* Runs all remaining cells and stores their results.  Returns a status. */
int lab_output_run(struct lab_output *o, struct grid *g);

void lab_output_close(struct lab_output *o);

#endif
