/*
 * output_files.h - opens the outputs, and refuses those that are inputs
 */
#ifndef OUTPUT_FILES_H
#define OUTPUT_FILES_H

#include "engine.h"

/*
 * Opens the sinks: a file or, for NULL, standard output; and a file for repeats
 * or, for NULL, none.  argv are the inputs; if there are none, standard input
 * is read.  An output that is one of the inputs is refused.  Returns CLI_GO, or
 * the status to exit with.
 */
int outputs_open(struct output *o, const char *output, const char *repeats,
                 int argc, char **argv);

/* Refuses to write a file that is one of the inputs.  Returns CLI_GO, or a
   status. */
int outputs_refuse(const char *name, int argc, char **argv);

/* Returns whether two names mean the same file, which need not exist. */
bool outputs_same(const char *a, const char *b);

/* Returns CLI_OK or CLI_TROUBLE.  Standard output stays open. */
int outputs_close(struct output *o);

#endif
