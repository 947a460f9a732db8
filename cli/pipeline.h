/*
 * pipeline.h - records in, verdicts out
 *
 *     reader -> split -> key -> hash -> filter -> sink
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "audit.h"
#include "csv.h"
#include "eventtime.h"
#include "freshet.h"
#include "key.h"
#include "ledger.h"
#include "reader.h"
#include "sink.h"

/* What happened to records.  The four add up to all there were. */
struct counts {
    uint64_t fresh, repeats;
    uint64_t passed;    /* let through without a key */
    uint64_t dropped;   /* held back for want of one */
    uint64_t malformed; /* of those two, for that reason */
    uint64_t bytes;     /* read */
};

enum missing { MISSING_PASS, MISSING_DROP, MISSING_KEY };

enum malformed { MALFORMED_PASS, MALFORMED_DROP, MALFORMED_FAIL };

enum show {
    SHOW_NEW,
    SHOW_REPEATS,  /* every repeat */
    SHOW_REPEATED, /* a key's first repeat */
    SHOW_ALL,      /* new and repeats, marked "0\t" and "1\t" */
    SHOW_NOTHING
};

struct pipeline {
    freshet *filter;
    freshet *repeated;   /* keys shown, for SHOW_REPEATED; else NULL */
    struct audit *audit; /* NULL if nobody asked */
    bool timed;          /* the filter has a window of time */
    uint64_t now;        /* that it was told */
    bool ask_only;       /* the filter learns nothing */
    char delimiter;
    struct key_spec key;
    struct eventtime time; /* whose clock is told to the filter, if set */
    enum missing missing;
    enum malformed malformed;
    enum show show;
    bool until_repeat; /* the first repeat answers everything */
    bool has_header;   /* the first record of a file is not compared */

    struct reader in;
    struct sink out, dup; /* dup.fd is -1 where repeats go nowhere else */
    struct ledger ledger; /* kept where verdicts may have to be undone */
    struct key_scratch scratch;
    struct counts counts;

    struct csv_splitter splitter; /* where key.csv is set */
    bool header_due;              /* the next record is a file's header */
    bool header_shown;
    freshet_hash header; /* that was shown */
    const char *broken;  /* the record to fail at, in the window; or NULL */
    const char *why;     /* what is wrong with it */

    /*
     * Called before each read, when all that is decided is written: the place
     * to look at clocks and signals, and to wait.  False: read no more.
     */
    bool (*between)(void *context);
    void *context;
};

enum pipeline_result {
    PIPELINE_DONE,
    PIPELINE_STOPPED, /* between() or until_repeat said so */
    PIPELINE_INPUT,   /* trouble with this file; others may do */
    PIPELINE_FAILED,  /* trouble that shall end it; all decided is written */
    PIPELINE_OUTPUT   /* trouble for good: records were decided, not written */
};

/* After PIPELINE_OUTPUT: the filters forget what was not written.  False if
   they cannot. */
bool pipeline_take_back(struct pipeline *p);

/* One file, to its end.  Complains itself. */
enum pipeline_result pipeline_file(struct pipeline *p, const char *name);

#endif
