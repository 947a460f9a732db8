/*
 * main.c - finds and runs the subcommand
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

const struct cli_command *const cli_commands[] = {
    &cmd_plan, &cmd_list,  &cmd_info, &cmd_gen, &cmd_kafka,
    &cmd_lab,  &cmd_bench, &cmd_help, NULL,
};

/*
 * If standard output were closed, the next file opened would become standard
 * output.  Closed descriptors are therefore opened in the opposite direction,
 * so that using them fails.
 */
static void hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Runs a command.  If the command fails and a file has its name, the message
   mentions the file. */
static int run_command(const struct cli_command *c, int argc, char **argv)
{
    int status = c->run(argc, argv);

    if (status == CLI_TROUBLE && access(c->name, F_OK) == 0)
        cli_fail("%s is a command; to read the file of that name, write ./%s",
                 c->name, c->name);
    return status;
}

/* Runs the filter.  If the filter fails and its first word is no file, the
   message mentions commands with a similar name. */
static int run_filter(int argc, char **argv)
{
    const char *first = argc > 0 && argv[0][0] != '-' ? argv[0] : NULL;
    int status = cmd_filter.run(argc, argv);
    char text[SUGGESTION_TEXT];

    if (status == CLI_TROUBLE && first && access(first, F_OK) < 0 &&
        *cli_similar(text, cli_commands, first))
        cli_fail("there is no file %s%s", first, text);
    return status;
}

/* A subcommand is recognized only as the first word: in "freshet -- list", list
   is a file. */
int main(int argc, char **argv)
{
    hold_standard_files();
    for (size_t i = 0; argc > 1 && cli_commands[i]; i++)
        if (strcmp(argv[1], cli_commands[i]->name) == 0)
            return run_command(cli_commands[i], argc - 2, argv + 2);
    return run_filter(argc > 0 ? argc - 1 : 0, argv + 1);
}
