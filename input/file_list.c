/*
 * file_list.c - names of files out of a file: --files0-from
 */
#include "file_list.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "command.h"

/* Takes over name.  False: no memory. */
static bool add(struct file_list *files, char *name)
{
    char **more = NULL;

    if (files->n < INT_MAX)
        more = array_add(files->name, (size_t)files->n, sizeof *more);
    if (!more) {
        free(name);
        return false;
    }
    files->name = more;
    files->name[files->n++] = name;
    return true;
}

static int check_name(const struct file_list *files, const char *from,
                      const char *name)
{
    if (*name == '\0')
        return cli_fail("%s: name %d is empty; names end with NUL, and each "
                        "is of a file",
                        from, files->n + 1);
    if (strcmp(name, "-") == 0 && strcmp(from, "-") == 0)
        return cli_fail("standard input cannot be '-' in its own list of "
                        "files");
    return CLI_GO;
}

static int read_names(struct file_list *files, const char *from, FILE *in)
{
    int status = CLI_GO;

    while (status == CLI_GO) {
        char *name = NULL;
        size_t size = 0;

        errno = 0;
        if (getdelim(&name, &size, '\0', in) < 0) {
            free(name);
            break;
        }
        status = check_name(files, from, name);
        if (status != CLI_GO)
            free(name);
        else if (!add(files, name))
            status = cli_fail("%s: no memory for so many names", from);
    }
    if (status == CLI_GO && !feof(in))
        return cli_fail("%s: %s", from, strerror(errno));
    return status;
}

int file_list_read(struct file_list *files, const char *from)
{
    bool standard = strcmp(from, "-") == 0;
    FILE *in = standard ? stdin : fopen(from, "re");
    int status;

    if (!in)
        return cli_fail("%s: %s", from, strerror(errno));
    status = read_names(files, from, in);
    if (!standard)
        fclose(in);
    if (status == CLI_GO && files->n == 0)
        return cli_fail("%s: names no file", from);
    return status;
}

void file_list_free(struct file_list *files)
{
    for (int i = 0; i < files->n; i++)
        free(files->name[i]);
    free(files->name);
}
