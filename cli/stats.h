/*
 * stats.h - prints the figures of a run as text, as JSON and for Prometheus
 *
 * Every figure is a row of one table, with one name: --stats prints it,
 * --metrics exposes it, the man page explains it.
 */
#ifndef STATS_H
#define STATS_H

#include <stdio.h>

#include "audit.h"
#include "engine.h"
#include "freshet.h"

enum { STATS_NONE, STATS_TEXT, STATS_JSON, STATS_PROMETHEUS };

/* The figures at one moment. */
struct stats {
    struct engine_counts counts;
    uint64_t records, repeats, passed, dropped, malformed, written;
    double seconds;
    const char *version;
    const char *memory_from; /* reason for the filter's size, or NULL */
    freshet_info info;
    double fill; /* share of the filter's slots in use */
    struct audit_report audit;
    bool audited; /* report is set */
};

enum stats_kind {
    STATS_COUNTER, /* uint64_t that only grows; FRESHET_UNKNOWN: not shown */
    STATS_COUNT,   /* uint64_t; FRESHET_UNKNOWN: not shown */
    STATS_BYTES,   /* uint64_t */
    STATS_SECONDS, /* double that only grows */
    STATS_REAL,    /* double; NaN: not shown */
    STATS_FLAG,    /* int; negative: not shown */
    STATS_WORD,    /* const char *: a label of the metric freshet_info */
    STATS_LETTERS, /* char[]: the same */
    STATS_RATE     /* struct audit_rate: several metrics */
};

struct stats_row {
    const char *name;
    enum stats_kind kind;
    bool audited;     /* only in audited runs */
    size_t offset;    /* offset in struct stats */
    const char *note; /* printed after the value in text; NULL: not shown
                         there */
    const char *help;
};

/* The last row has a NULL name. */
extern const struct stats_row stats_rows[];

/*
 * Collects the figures.  The audit may be NULL.  started is a time of
 * clock_now(); info describes the filter, including the figures that need a
 * scan.
 */
void stats_collect(struct stats *s, const struct engine *e,
                   const struct audit *audit, uint64_t started,
                   const freshet_info *info);

/* Writes all figures in one of the forms STATS_. */
void stats_write(const struct stats *s, int form, FILE *out);

/* Returns the name of a row's metric for Prometheus, and its type. */
enum { STATS_NAME = 64 };
const char *stats_metric(char out[STATS_NAME], const struct stats_row *row);
const char *stats_type(const struct stats_row *row);

#endif
