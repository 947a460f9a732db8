/*
 * main.c - finds the subcommand, nothing else
 */
#include <string.h>

#include "cli.h"

const struct cli_command *const cli_commands[] = {
    &cmd_bench,
    &cmd_list,
    NULL,
};

static const struct cli_option no_options[] = {{0}};

static const struct cli_command program = {
    .operands = "COMMAND [OPTION]...",
    .summary = "Remove repeats from a stream that never ends",
    .examples = "  freshet list                 the algorithms\n"
                "  freshet bench -m 1G sbf      how fast one is here\n",
    .options = no_options,
};

int main(int argc, char **argv)
{
    int status;

    for (size_t i = 0; argc > 1 && cli_commands[i]; i++)
        if (strcmp(argv[1], cli_commands[i]->name) == 0)
            return cli_commands[i]->run(argc - 2, argv + 2);

    argc -= argc > 0;
    argv++;
    status = cli_parse(&program, NULL, &argc, &argv);
    if (status != CLI_GO)
        return status;
    return argc ? cli_misuse(&program, "there is no command '%s'", argv[0])
                : cli_misuse(&program, "a command is needed");
}
