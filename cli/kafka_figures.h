/*
 * kafka_figures.h - the figures of freshet kafka as text, as JSON and for
 * Prometheus
 *
 * Every figure is a row of one table: --stats prints it, --metrics and --listen
 * expose it with the partition as a label, the man page explains it.
 */
#ifndef KAFKA_FIGURES_H
#define KAFKA_FIGURES_H

#include <stdio.h>

#include "kafka.h"

enum kafka_row_number {
    KAFKA_RECORDS,
    KAFKA_NEW,
    KAFKA_REPEATS,
    KAFKA_PASSED,
    KAFKA_DROPPED,
    KAFKA_MALFORMED,
    KAFKA_LATE,
    KAFKA_BYTES_READ,
    KAFKA_BYTES_WRITTEN,
    KAFKA_PRODUCED,
    KAFKA_MATCHED,
    KAFKA_FOREIGN,
    KAFKA_REBUILT,
    KAFKA_NEXT_OFFSET,
    KAFKA_LAG,
    KAFKA_MEMORY,
    KAFKA_FILL,
    KAFKA_FALSE_DROP,
    KAFKA_ROWS
};

/* One figure of a partition. */
struct kafka_row {
    const char *name;
    bool is_counter; /* it only grows */
    const char *help;
};

/* By number; the last row has a NULL name. */
extern const struct kafka_row kafka_rows[];

struct kafka_values {
    bool is_shown;        /* the partition is or was assigned */
    bool is_assigned;     /* this process has it now */
    double v[KAFKA_ROWS]; /* NaN: unknown */
};

/* The figures at one moment.  All zero is an empty one. */
struct kafka_snapshot {
    int32_t partitions;
    struct kafka_values *partition;
    double sum[KAFKA_ROWS]; /* of all partitions */
};

/*
 * Takes the figures of all partitions.  Inspecting large filters takes time:
 * unless `inside` is set, KAFKA_FILL and KAFKA_FALSE_DROP stay those of the
 * former call.  Returns false, and leaves the former figures, if there is no
 * memory.
 */
bool kafka_snapshot_take(struct kafka_snapshot *s, const struct kafka *k,
                         bool inside);
void kafka_snapshot_free(struct kafka_snapshot *s);

/* Writes all figures in one of the forms STATS_; seconds: since the run
   began. */
void kafka_snapshot_write(const struct kafka_snapshot *s, double seconds,
                          int form, FILE *out);

#endif
