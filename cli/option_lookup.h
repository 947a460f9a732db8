/*
 * option_lookup.h - the row that a letter, a name or its beginning means
 */
#ifndef OPTION_LOOKUP_H
#define OPTION_LOOKUP_H

#include "command.h"

/* Returns NULL if the command has no such letter. */
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
