/*
 * output_files.h - where records go, and where they must not
 */
#ifndef OUTPUT_FILES_H
#define OUTPUT_FILES_H

#include "engine.h"

/*
 * Open the sinks: a file or, for NULL, standard output; repeats
 * besides to a file, or for NULL nowhere.  argv are the inputs, none being
 * standard input: what is one of them is no output.  CLI_GO, or the status to
 * exit with.
 */
int outputs_open(struct output *o, const char *output, const char *repeats,
                 int argc, char **argv);

/* Refuse to write a file that is one of the inputs.  CLI_GO, or a status. */
int outputs_refuse(const char *name, int argc, char **argv);

/* Whether two names are of one file, there or not. */
bool outputs_same(const char *a, const char *b);

/* CLI_OK or CLI_TROUBLE.  Standard output stays open. */
int outputs_close(struct output *o);

#endif
