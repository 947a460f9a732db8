/*
 * prometheus_file.h - writes metrics to a file for Prometheus: --metrics
 *
 * The file is rewritten every few seconds, even while no input comes, so that
 * its age shows whether the program is running.  Inspecting a large filter
 * takes time: figures from inside the filter are refreshed less often, so that
 * inspection takes at most a hundredth of the time.
 */
#ifndef PROMETHEUS_FILE_H
#define PROMETHEUS_FILE_H

#include "stats.h"

struct prometheus_file {
    const char *path; /* NULL: there is none */
    uint64_t due;     /* time of the next write, by clock_now() */
    bool failed;      /* a failure was reported */
    freshet_info info;
    uint64_t check_at; /* time of the next inspection of the filter */
};

/* Writes the file now.  Returns CLI_OK or CLI_TROUBLE; prints a message about
   the first failure only. */
int prometheus_file_write(struct prometheus_file *m, const struct engine *e,
                          const struct audit *audit, uint64_t started);

#endif
