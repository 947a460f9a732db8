/*
 * kafka_report.h - the figures of freshet kafka, for each partition
 *
 * Every figure is a row of one table: --stats prints it, --metrics exposes it
 * with the partition as a label, the man page explains it.
 */
#ifndef KAFKA_REPORT_H
#define KAFKA_REPORT_H

#include <stdio.h>

#include "kafka.h"

struct kafka_report {
    int stats;                /* STATS_NONE, STATS_TEXT or STATS_JSON */
    const char *stats_output; /* NULL: stderr */
    const char *metrics;      /* NULL: none */
    bool progress;            /* --progress is given, and stderr is a
                                 terminal */
    bool trouble;             /* something could not be written */
    uint64_t started;         /* by clock_now() */
    uint64_t metrics_due, progress_due;
};

/* One figure of a partition. */
struct kafka_row {
    const char *name;
    bool is_counter; /* it only grows */
    const char *help;
};

/* The last row has a NULL name. */
extern const struct kafka_row kafka_rows[];

/* Writes all figures in one of the forms STATS_. */
void kafka_report_write(const struct kafka *k, uint64_t started, int form,
                        FILE *out);

/* Writes what is due; to be called between messages. */
void kafka_report_tick(struct kafka_report *r, const struct kafka *k);

/* Writes the final figures. */
void kafka_report_end(struct kafka_report *r, const struct kafka *k);

#endif
