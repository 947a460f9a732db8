/*
 * command_args.h - options of commands, read and written by tables
 *
 * A table is one of base/option.h with names in capitals; values are parsed as
 * the program parses those of its options.  OPTION_TEXTS takes two words, a
 * name and a value, any number of times; its field is a struct args_params.
 */
#ifndef COMMAND_ARGS_H
#define COMMAND_ARGS_H

#include "api.h"
#include "option.h"

/* "name=value,name=value", as the library takes parameters. */
struct args_params {
    char text[512];
};

/*
 * Sets fields by the words from argv[*at] on, and leaves *at at the first word
 * that is no option.  Returns false after answering with an error.
 */
bool args_read(rm_ctx *ctx, const struct option_spec *table, void *args,
               rm_string **argv, int argc, int *at);

/* Returns whether a word is this name, in capitals or not. */
bool args_is(rm_string *word, const char *name);

/* Writes the words, at most ARGS_WORDS, from which args_read() would set these
   fields.  Returns their number. */
enum { ARGS_WORDS = 64 };
size_t args_write(rm_ctx *ctx, const struct option_spec *table,
                  const void *args, rm_string *words[ARGS_WORDS]);

#endif
