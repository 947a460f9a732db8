/*
 * option_lookup.h - finds an option by its letter, its name or a prefix of it
 */
#ifndef OPTION_LOOKUP_H
#define OPTION_LOOKUP_H

#include "command.h"

/* Returns the option with that letter, or NULL. */
const struct option_spec *option_by_letter(const struct cli_command *command,
                                           char letter);

/*
 * Find the option of that name, or the only one whose name begins so.  Returns
 * CLI_GO, or CLI_TROUBLE after a message that lists the options it might be.
 */
int option_by_name(const struct option_spec **out,
                   const struct cli_command *command, const char *name,
                   size_t length);

#endif
