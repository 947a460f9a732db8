/*
 * filter_metrics.c - metrics of a run for Prometheus: --metrics and --listen
 */
#include "filter_metrics.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "stats_file.h"

#define EVERY UINT64_C(5000000000) /* ns between two files */

static void inspect(struct filter_metrics *m, const struct engine *e)
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
static int write_file(struct filter_metrics *m, const struct stats *s)
{
    m->due = clock_now() + EVERY;
    if (stats_file_replace(m->path, 0644, s, STATS_PROMETHEUS) == 0)
        return CLI_OK;
    if (!m->failed)
        cli_fail("%s: cannot write metrics: %s", m->path, strerror(errno));
    m->failed = true;
    return CLI_TROUBLE;
}

static void publish(struct metrics_server *server, const struct stats *s)
{
    FILE *out = metrics_server_begin(server);

    if (!out)
        return;
    stats_write(s, STATS_PROMETHEUS, out);
    metrics_server_publish(server, out);
}

uint64_t filter_metrics_due(const struct filter_metrics *m)
{
    uint64_t file = m->path ? m->due : UINT64_MAX;
    uint64_t page = m->server ? metrics_server_due(m->server) : UINT64_MAX;

    return file < page ? file : page;
}

int filter_metrics_write(struct filter_metrics *m, const struct engine *e,
                         const struct audit *audit, uint64_t started, bool all)
{
    uint64_t now = clock_now();
    struct stats s;

    if (all || now >= m->check_at)
        inspect(m, e);
    stats_collect(&s, e, audit, started, &m->info);
    if (m->server && (all || now >= metrics_server_due(m->server)))
        publish(m->server, &s);
    return m->path && (all || now >= m->due) ? write_file(m, &s) : CLI_OK;
}
