/*
 * output_files.c - opens the outputs, and refuses those that are inputs
 */
#include "output_files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

static bool same_file(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev &&
           a->st_ino == b->st_ino;
}

/* Returns whether two names mean the same entry of the same directory: for
   files that do not exist yet. */
static bool same_place(const char *a, const char *b)
{
    char one[PATH_MAX], two[PATH_MAX];
    struct stat st, other;

    snprintf(one, sizeof one, "%s", a);
    snprintf(two, sizeof two, "%s", b);
    if (strcmp(basename(one), basename(two)) != 0)
        return false;
    snprintf(one, sizeof one, "%s", a); /* basename() may have changed it */
    snprintf(two, sizeof two, "%s", b);
    return stat(dirname(one), &st) == 0 && stat(dirname(two), &other) == 0 &&
           st.st_dev == other.st_dev && st.st_ino == other.st_ino;
}

bool outputs_same(const char *a, const char *b)
{
    struct stat st, other;

    return same_place(a, b) || (stat(a, &st) == 0 && stat(b, &other) == 0 &&
                                same_file(&st, &other));
}

/* A file that is read and written at the same time would be destroyed. */
static int refuse_input(const char *name, const struct stat *out, int argc,
                        char **argv)
{
    struct stat in;

    for (int i = 0; i < argc || (i == 0 && argc == 0); i++) {
        bool standard = argc == 0 || strcmp(argv[i], "-") == 0;
        int got = standard ? fstat(STDIN_FILENO, &in) : stat(argv[i], &in);

        if (got == 0 && same_file(out, &in))
            return cli_fail("%s: is also an input; write to another file, "
                            "then rename it",
                            name);
    }
    return CLI_GO;
}

int outputs_refuse(const char *name, int argc, char **argv)
{
    struct stat st;

    return stat(name, &st) == 0 ? refuse_input(name, &st, argc, argv) : CLI_GO;
}

/* Checks the file before it is opened, since opening truncates it. */
static int open_output(struct sink *s, const char *name, int argc, char **argv)
{
    int status = outputs_refuse(name, argc, argv), fd;

    if (status != CLI_GO)
        return status;
    fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return cli_fail("%s: %s", name, strerror(errno));
    sink_init(s, fd, name);
    s->created = true; /* even if it existed: then its name is synced once
                          more */
    return CLI_GO;
}

int outputs_open(struct output *o, const char *output, const char *repeats,
                 int argc, char **argv)
{
    struct stat out, dup;
    int status = CLI_GO;

    if (output)
        status = open_output(&o->out, output, argc, argv);
    else
        sink_init(&o->out, STDOUT_FILENO, "standard output");
    if (!output && fstat(STDOUT_FILENO, &out) == 0)
        status = refuse_input(o->out.name, &out, argc, argv);
    if (status != CLI_GO || !repeats)
        return status;
    if (fstat(o->out.fd, &out) == 0 && stat(repeats, &dup) == 0 &&
        same_file(&out, &dup))
        return cli_fail("%s: is the output already; give repeats a file of "
                        "their own",
                        repeats);
    return open_output(&o->dup, repeats, argc, argv);
}

static int close_output(struct sink *s)
{
    if (s->fd > STDERR_FILENO && close(s->fd) < 0)
        return cli_fail("%s: %s", s->name, strerror(errno));
    return CLI_OK;
}

int outputs_close(struct output *o)
{
    int out = close_output(&o->out), dup = close_output(&o->dup);

    return out == CLI_OK ? dup : out;
}
