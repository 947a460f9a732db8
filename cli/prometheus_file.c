/*
 * prometheus_file.c - a file for Prometheus: --metrics
 */
#include "prometheus_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "atomic_file.h"
#include "command.h"

#define EVERY UINT64_C(5000000000) /* ns */

static int write_stats(int fd, const void *what)
{
    int copy = dup(fd);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    bool failed;

    if (!out)
        return -1;
    stats_expose(what, out);
    failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

static void look(struct metrics *m, const struct pipeline *p)
{
    uint64_t begin = stats_clock(), end;

    m->info.size = sizeof m->info;
    pipeline_info(p, &m->info);
    end = stats_clock();
    m->look_at = end + 100 * (end - begin);
}

/* Counts are no secret, and whoever collects them is another user. */
int metrics_write(struct metrics *m, const struct pipeline *p, uint64_t started)
{
    struct stats s;
    struct replace how = {.mode = 0644, .write = write_stats, .what = &s};

    if (stats_clock() >= m->look_at)
        look(m, p);
    stats_take(&s, p, started, &m->info);
    m->due = stats_clock() + EVERY;
    if (replace_file(m->path, &how) == 0)
        return CLI_OK;
    if (!m->failed)
        cli_fail("%s: metrics not written: %s", m->path, strerror(errno));
    m->failed = true;
    return CLI_TROUBLE;
}
