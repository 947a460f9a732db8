/*
 * lab_output.h - what the laboratory's commands that measure have in common
 */
#ifndef LAB_OUTPUT_H
#define LAB_OUTPUT_H

#include "grid.h"
#include "result_file.h"

struct lab_output {
    const char *path; /* of a file of results; NULL: none is kept */
    uint64_t jobs;    /* measurements side by side; 0: as many as cores */

    /* Each cell that is measured, or was before, goes to done().  That returns
       a status as cli_finish(). */
    int (*done)(void *context, struct cell *c);
    void *context;

    struct results results;
};

/*
 * Open the file of results, begun with command, machine and build if it is
 * new.  CLI_GO, or CLI_TROUBLE after complaining; to be closed in any case.
 */
int lab_output_open(struct lab_output *o, const char *command);

/* What the file holds is not run again. */
void lab_output_take(const struct lab_output *o, struct grid *g);

/* How many measurements run side by side. */
size_t lab_output_jobs(const struct lab_output *o);

/* Run all cells that wait, and keep their results.  Returns a status. */
int lab_output_run(struct lab_output *o, struct grid *g);

void lab_output_close(struct lab_output *o);

#endif
