/*
 * command.h - declarations shared by the subcommands
 *
 * Each fact about an option is in one place, its command's table, which the
 * parser, --help, the man pages and the completions read.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "option.h"
#include "suggestion.h"

enum {
    CLI_GO = -1, /* from cli_parse(): do not exit, continue */
    CLI_OK = 0,
    CLI_FOUND = 1, /* an exit status that is a result, such as grep's 1 */
    CLI_TROUBLE = 2
};

struct cli_command {
    const char *name;                          /* NULL: the program itself */
    const char *operands;                      /* "[FILE]..." */
    const char *summary;                       /* one line, no full stop */
    const char *examples;                      /* lines that --help shows */
    const struct option_spec *options;         /* the last row has a NULL
                                                  name */
    const struct cli_command *const *commands; /* its subcommands, or NULL */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cmd_bench, cmd_filter, cmd_gen, cmd_help,
    cmd_info, cmd_kafka, cmd_lab, cmd_lab_check, cmd_lab_report,
    cmd_lab_reproduce, cmd_lab_run, cmd_list, cmd_plan;

/* Every subcommand; the last entry is NULL. cmd_filter has no name and is not
   listed. */
extern const struct cli_command *const cli_commands[];

/* The options that every command has: --help and --version. */
extern const struct option_spec cli_common[];

/*
 * Sets args from the options in argv, wherever they stand, and leaves only the
 * operands in argc and argv.  Returns CLI_GO, or the status to exit with: after
 * a message, or after --help or --version.  An option given twice has its last
 * value.
 */
int cli_parse(const struct cli_command *command, void *args, int *argc,
              char ***argv);

/*
 * Finds the command of that name among commands, which may be NULL.  Returns
 * CLI_GO, or CLI_TROUBLE after a message that points to the help of user.
 */
int cli_find(const struct cli_command **out, const struct cli_command *user,
             const struct cli_command *const *commands, const char *name);

/* Returns "; did you mean the command 'list'?", or "" if no command has a
   similar name. */
const char *cli_similar(char out[SUGGESTION_TEXT],
                        const struct cli_command *const *commands,
                        const char *name);

/* Returns a command's name without that of the command it belongs to: "run". */
const char *cli_own_name(const struct cli_command *command);

/* Returns "start word word ...", to be freed, or NULL if there is no memory. */
char *cli_line(const char *start, int argc, char **argv);

/* Prints a command's --help. */
void cli_help(const struct cli_command *command);

/* Prints a message "freshet: ..." and returns CLI_TROUBLE. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a misused command line, with a reference to its --help. */
int cli_misuse(const struct cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flushes standard output and reports a failed write, such as on a full disk.
   Every command ends with it, and long ones call it after each result. */
int cli_finish(void);

#endif
