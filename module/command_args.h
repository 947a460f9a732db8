/*
 * command_args.h - options of commands, read and written by tables
 *
 * A table is one of the program's (command.h), its names in capitals, and its
 * values are read by the program's own code.  OPTION_TEXTS takes two words, a
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
 * Set fields by the words from argv[*at] on, and leave *at at the first word
 * that is no option.  False after having answered with an error.
 */
bool args_read(rm_ctx *ctx, const struct option_spec *table, void *args,
               rm_string **argv, int argc, int *at);

/* Is this word the one given, whatever its capitals? */
bool args_is(rm_string *word, const char *name);

/* The words that args_read() would read so, at most ARGS_WORDS. */
enum { ARGS_WORDS = 64 };
size_t args_write(rm_ctx *ctx, const struct option_spec *table,
                  const void *args, rm_string *words[ARGS_WORDS]);

#endif
