/*
 * lab_output.h - what the laboratory's commands that measure have in common
 */
#ifndef LAB_OUTPUT_H
#define LAB_OUTPUT_H

#include "grid.h"
#include "result_file.h"

/*
 * Open a file of results, begun with command, machine and build if it is new.
 * CLI_GO, or CLI_TROUBLE after complaining; to be closed in any case.
 */
int lab_output_open(struct results *r, const char *path, const char *command);

/* What the file holds is not run again. */
void lab_output_take(const struct results *r, struct grid *g);

/* So many measurements side by side: as asked for, or as many as cores. */
size_t lab_output_jobs(uint64_t asked);

#endif
