/*
 * candidates.h - what a shell offers as the value of an option or an operand
 */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "command.h"

struct candidates {
    enum { OFFER_NOTHING, OFFER_WORDS, OFFER_FILES } kind;
    char words[400]; /* separated by blanks */
};

/* Candidates for the value of an option, and for a command's operands. */
void candidates_of_option(struct candidates *c, const struct option_spec *o);
void candidates_of_operands(struct candidates *c,
                            const struct cli_command *command);

/* A row of a table that users may type, rather than a heading. */
bool candidates_is_option(const struct option_spec *o);

/* The help of a row, or of the row that it is another spelling of. */
const char *candidates_help(const struct option_spec *table,
                            const struct option_spec *o);

/* Call visit for the filter and for every command, its own ones included. */
void candidates_each(void (*visit)(const struct cli_command *command));

/* Print the names of commands, separated by blanks. */
void candidates_put_names(const struct cli_command *const *commands);

#endif
