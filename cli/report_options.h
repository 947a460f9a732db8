/*
 * report_options.h - the options that choose how a run reports its figures
 */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "option.h"

struct report_args {
    int stats; /* STATS_NONE, STATS_TEXT or STATS_JSON */
    const char *stats_output, *metrics, *listen;
    bool progress;
};

/* Rows of a table whose args have a struct report_args named report. */
#define REPORT_AT(type, field)                                                 \
    (offsetof(type, report) + offsetof(struct report_args, field))

#define REPORT_OPTIONS(type)                                                   \
    {0,                                                                        \
     "stats",                                                                  \
     OPTION_MODE,                                                              \
     REPORT_AT(type, stats),                                                   \
     "[=text|json]",                                                           \
     "print counts on stderr at the end and on SIGUSR1"},                      \
        {0,           "stats-output",                                          \
         OPTION_FILE, REPORT_AT(type, stats_output),                           \
         "FILE",      "write statistics to FILE instead of stderr"},           \
        {0,           "metrics",                                               \
         OPTION_FILE, REPORT_AT(type, metrics),                                \
         "FILE",      "write Prometheus metrics to FILE every 5 seconds"},     \
        {0,                                                                    \
         "listen",                                                             \
         OPTION_TEXT,                                                          \
         REPORT_AT(type, listen),                                              \
         "[HOST:]PORT",                                                        \
         "serve /metrics and /healthz over HTTP"},                             \
    {                                                                          \
        0, "progress", OPTION_SWITCH, REPORT_AT(type, progress), NULL,         \
            "show progress if standard error is a terminal"                    \
    }

#endif
