/*
 * main.c - finds the subcommand, nothing else
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

const struct cli_command *const cli_commands[] = {
    &cmd_plan, &cmd_list, &cmd_info, &cmd_gen, &cmd_lab, &cmd_bench, NULL,
};

/*
 * A file opened while standard output is closed would become standard output.
 * What is closed is held, the wrong way round, so that using it fails.
 */
static void hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* A subcommand is one only as the first word: "freshet -- list" is a file. */
int main(int argc, char **argv)
{
    hold_standard_files();
    for (size_t i = 0; argc > 1 && cli_commands[i]; i++)
        if (strcmp(argv[1], cli_commands[i]->name) == 0)
            return cli_commands[i]->run(argc - 2, argv + 2);
    return cmd_filter.run(argc > 0 ? argc - 1 : 0, argv + 1);
}
