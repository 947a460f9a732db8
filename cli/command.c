/*
 * command.c - messages of the commands, and the check of standard output
 */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status_line.h"

enum { MESSAGE = 3 * 4096 }; /* two names of files, and words */

/* Prints "freshet: " and the message.  It quotes names of files, which may be
   anybody's: no byte of it is one that a terminal acts upon. */
__attribute__((format(printf, 1, 0))) static void print_message(
    const char *format, va_list ap)
{
    char text[MESSAGE];

    vsnprintf(text, sizeof text, format, ap);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "freshet: %s\n", text);
}

int cli_fail(const char *format, ...)
{
    va_list ap;

    status_line_clear();
    fflush(stdout); /* keeps results and messages in order */
    va_start(ap, format);
    print_message(format, ap);
    va_end(ap);
    return CLI_TROUBLE;
}

int cli_misuse(const struct cli_command *command, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    print_message(format, ap);
    va_end(ap);
    fprintf(stderr, "Try 'freshet %s%s--help'.\n",
            command->name ? command->name : "", command->name ? " " : "");
    return CLI_TROUBLE;
}

int cli_finish(void)
{
    bool failed = ferror(stdout);

    if (fflush(stdout) != 0)
        return cli_fail("standard output: %s", strerror(errno));
    if (failed) /* an earlier write failed, and its errno is lost */
        return cli_fail("standard output: write error");
    return CLI_OK;
}

const char *cli_own_name(const struct cli_command *command)
{
    const char *space = strrchr(command->name, ' ');

    return space ? space + 1 : command->name;
}

const char *cli_similar(char out[SUGGESTION_TEXT],
                        const struct cli_command *const *commands,
                        const char *name)
{
    struct suggestion s;

    suggestion_begin(&s, name, strlen(name));
    for (; commands && *commands; commands++)
        suggestion_offer(&s, cli_own_name(*commands),
                         strlen(cli_own_name(*commands)));
    return suggestion_text(out, &s, "the command ");
}

int cli_find(const struct cli_command **out, const struct cli_command *user,
             const struct cli_command *const *commands, const char *name)
{
    char text[SUGGESTION_TEXT];

    for (size_t i = 0; commands && commands[i]; i++)
        if (strcmp(name, cli_own_name(commands[i])) == 0) {
            *out = commands[i];
            return CLI_GO;
        }
    return cli_misuse(user, "there is no command '%s'%s", name,
                      cli_similar(text, commands, name));
}

char *cli_line(const char *start, int argc, char **argv)
{
    size_t size = strlen(start) + 1;
    char *line, *end;

    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    line = malloc(size);
    if (!line)
        return NULL;
    end = stpcpy(line, start);
    for (int i = 0; i < argc; i++)
        end = stpcpy(stpcpy(end, " "), argv[i]);
    return line;
}
