/*
 * command_docs.h - describes a command for COMMAND INFO and COMMAND DOCS
 *
 * The arguments of a command are written as in a manual:
 *
 *     key [ERROR rate] [COUNT|NOCOUNT] [PARAM name value]... ITEMS item...
 *
 * Words in capitals are literal, brackets enclose what is optional, and three
 * dots follow what may be repeated.  The word "options" stands
 * for the options of FR.RESERVE that were not named before it.
 */
#ifndef COMMAND_DOCS_H
#define COMMAND_DOCS_H

#include "api.h"
#include "server_command.h"

/*
 * Sets arity, keys, arguments and summary of a command that has been created.
 * Returns RM_ERR if the server refuses them.
 */
int command_docs_set(rm_command *command, const struct command *c);

#endif
