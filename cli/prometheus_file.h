/*
 * prometheus_file.h - a file for Prometheus: --metrics
 *
 * Written anew every few seconds, also while nothing comes, so that its age
 * tells whether the program lives.  Looking into a large filter takes a while:
 * what is seen there is refreshed less often, so that it takes no more than a
 * hundredth of the time.
 */
#ifndef PROMETHEUS_FILE_H
#define PROMETHEUS_FILE_H

#include "stats.h"

struct prometheus_file {
    const char *path; /* NULL: there is none */
    uint64_t due;     /* by clock_now() */
    bool failed;      /* and said so */
    freshet_info info;
    uint64_t look_at; /* when to look into the filter again */
};

/* Write it now.  CLI_OK or CLI_TROUBLE; complains about a first failure. */
int prometheus_file_write(struct prometheus_file *m, const struct engine *e,
                          const struct audit *audit, uint64_t started);

#endif
