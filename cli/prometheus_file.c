/*
 * prometheus_file.c - writes metrics to a file for Prometheus: --metrics
 */
#include "prometheus_file.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "stats_file.h"

#define EVERY UINT64_C(5000000000) /* ns */

static void look(struct prometheus_file *m, const struct engine *e)
{
    struct decider *d = engine_config(e)->decider;
    uint64_t begin = clock_now(), end;

    m->info.size = sizeof m->info;
    d->type->info(d, &m->info);
    end = clock_now();
    m->check_at = end + 100 * (end - begin);
}

/* The file is readable for all: it has only counts, and another user collects
   them. */
int prometheus_file_write(struct prometheus_file *m, const struct engine *e,
                          const struct audit *audit, uint64_t started)
{
    struct stats s;

    if (clock_now() >= m->check_at)
        look(m, e);
    stats_collect(&s, e, audit, started, &m->info);
    m->due = clock_now() + EVERY;
    if (stats_file_replace(m->path, 0644, &s, STATS_PROMETHEUS) == 0)
        return CLI_OK;
    if (!m->failed)
        cli_fail("%s: cannot write metrics: %s", m->path, strerror(errno));
    m->failed = true;
    return CLI_TROUBLE;
}
