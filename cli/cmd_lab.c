/*
 * cmd_lab.c - freshet lab: runs the laboratory's subcommands
 */
#include "command.h"

static const struct cli_command *const lab_commands[] = {&cmd_lab_run,
                                                         &cmd_lab_reproduce,
                                                         &cmd_lab_check,
                                                         &cmd_lab_report, NULL};

static const struct option_spec lab_options[] = {{0}};

static int lab_run(int argc, char **argv);

const struct cli_command cmd_lab = {
    .name = "lab",
    .operands = "COMMAND [ARGUMENT]...",
    .summary = "Measure the errors of algorithms exactly",
    .examples =
        "  freshet lab run --stream uniform:n=1e6,distinct=15% -m 1M pocket\n"
        "  freshet lab run --input FILE     the same on data of your own\n"
        "  freshet lab reproduce            do the published tables hold?\n"
        "  freshet lab check                does this build keep its "
        "promises?\n"
        "  freshet lab report FILE          results as a page to read\n",
    .options = lab_options,
    .commands = lab_commands,
    .run = lab_run,
};

static int lab_run(int argc, char **argv)
{
    const struct cli_command *command;
    int status = CLI_GO;

    if (argc && argv[0][0] != '-') {
        status = cli_find(&command, &cmd_lab, lab_commands, argv[0]);
        return status == CLI_GO ? command->run(argc - 1, argv + 1) : status;
    }
    status = cli_parse(&cmd_lab, NULL, &argc, &argv);
    return status == CLI_GO
               ? cli_misuse(&cmd_lab,
                            "give a command: run, reproduce, check or report")
               : status;
}
