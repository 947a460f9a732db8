/*
 * filter_metrics.h - metrics of a run for Prometheus: --metrics and --listen
 *
 * A file is rewritten every few seconds, even while no input comes, so that
 * its age shows whether the program is running; the text of a server is
 * replaced every second.  Inspecting a large filter takes time: figures from
 * inside the filter are refreshed less often, so that inspection takes at most
 * a hundredth of the time.
 */
#ifndef FILTER_METRICS_H
#define FILTER_METRICS_H

#include "metrics_server.h"
#include "stats.h"

struct filter_metrics {
    const char *path;              /* of the file, NULL: there is none */
    struct metrics_server *server; /* NULL: there is none */
    uint64_t due;                  /* time of the next file, by clock_now() */
    bool failed;                   /* a failure was reported */
    freshet_info info;
    uint64_t check_at; /* time of the next inspection of the filter */
};

/* Returns when something is to be written; UINT64_MAX: never. */
uint64_t filter_metrics_due(const struct filter_metrics *m);

/* Writes what is due, or everything if `all` is set.  Returns CLI_OK or
   CLI_TROUBLE; prints a message about the first failure only. */
int filter_metrics_write(struct filter_metrics *m, const struct engine *e,
                         const struct audit *audit, uint64_t started, bool all);

#endif
