/*
 * stats_file.c - writes the figures of a run to a file: --stats-output and
 * --metrics
 */
#include "stats_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "command.h"

struct figures {
    const struct stats *stats;
    int form;
};

static bool is_special(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

int stats_file_open(struct stats_file *f, const char *path)
{
    mode_t mask = umask(0);
    char copy[PATH_MAX];
    struct stat st;

    umask(mask);
    *f = (struct stats_file){.path = path, .mode = 0666 & ~mask};
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return cli_fail("%s: %s", path, strerror(EISDIR));
    snprintf(copy, sizeof copy, "%s", path);
    if (access(is_special(path) ? path : dirname(copy), W_OK) < 0)
        return cli_fail("%s: %s", path, strerror(errno));
    return CLI_GO;
}

static int write_figures(int fd, const void *what)
{
    const struct figures *figures = what;
    int copy = dup(fd);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    bool failed;

    if (!out)
        return -1;
    stats_write(figures->stats, figures->form, out);
    failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

static int write_special(const char *path, const struct figures *figures)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), status;

    if (fd < 0)
        return -1;
    status = write_figures(fd, figures);
    if (close(fd) < 0)
        status = -1;
    return status;
}

int stats_file_replace(const char *path, mode_t mode, const struct stats *s,
                       int form)
{
    struct figures figures = {s, form};
    struct atomic_file how = {.mode = mode,
                              .write = write_figures,
                              .what = &figures};

    return atomic_file_write(path, &how);
}

int stats_file_write(const struct stats_file *f, const struct stats *s,
                     int form)
{
    struct figures figures = {s, form};

    return is_special(f->path) ? write_special(f->path, &figures)
                               : stats_file_replace(f->path, f->mode, s, form);
}
