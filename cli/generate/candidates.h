/*
 * candidates.h - finds what a shell offers as the value of an option or an
 * operand
 */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "command.h"

struct candidates {
    enum { OFFER_NOTHING, OFFER_WORDS, OFFER_FILES } kind;
    char words[400]; /* separated by blanks */
};

/* Find the candidates for the value of an option, and for a command's
   operands. */
void candidates_of_option(struct candidates *c, const struct option_spec *o);
void candidates_of_operands(struct candidates *c,
                            const struct cli_command *command);

/* Returns whether a row is an option that users may type, and not a heading. */
bool candidates_is_option(const struct option_spec *o);

/* Returns the help of a row, or of the row that it is another spelling of. */
const char *candidates_help(const struct option_spec *table,
                            const struct option_spec *o);

/* Calls visit for the filter and for every command, subcommands included. */
void candidates_each(void (*visit)(const struct cli_command *command));

/* Prints the names of commands, separated by blanks. */
void candidates_put_names(const struct cli_command *const *commands);

#endif
