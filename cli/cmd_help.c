/*
 * cmd_help.c - freshet help: another way to a command's --help
 */
#include <string.h>

#include "command.h"

static const struct option_spec help_options[] = {{0}};

static int help_run(int argc, char **argv);

const struct cli_command cmd_help = {
    .name = "help",
    .operands = "[COMMAND]...",
    .summary = "Show how to use a command",
    .examples =
        "  freshet help                 the filter, and all commands\n"
        "  freshet help plan            the same as freshet plan --help\n"
        "  freshet help lab run         a command of a command\n",
    .options = help_options,
    .run = help_run,
};

static int help_run(int argc, char **argv)
{
    const struct cli_command *command = &cmd_filter;
    const struct cli_command *const *commands = cli_commands;
    int status = cli_parse(&cmd_help, NULL, &argc, &argv);

    if (status != CLI_GO)
        return status;
    for (int i = 0; i < argc; i++) {
        status = cli_find(&command, &cmd_help, commands, argv[i]);
        if (status != CLI_GO)
            return status;
        commands = command->commands;
    }
    cli_help(command);
    return cli_finish();
}
