/*
 * engine.h - records in, verdicts out
 *
 *     reader -> split -> key -> hash -> filter -> sink
 *
 * With several threads, windows are split and hashed side by side, and pass
 * filter and sink in the order in which they were read: what comes out is the
 * same.  With a remote filter, windows wait for its answers in that order.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "decider.h"
#include "ordered_pool.h"
#include "output_mode.h"
#include "reader.h"
#include "sink.h"
#include "undo_log.h"
#include "window.h"

enum pipeline_result {
    PIPELINE_DONE,
    PIPELINE_STOPPED, /* between() or until_repeat said so */
    PIPELINE_INPUT,   /* trouble with this file; others may do */
    PIPELINE_FAILED,  /* trouble that shall end it; all decided is written */
    PIPELINE_OUTPUT   /* trouble for good: records were decided, not written */
};

struct parcel;

enum { PIPELINE_DEPTH = 8 }; /* decisions that wait to be collected */

struct pipeline {
    struct decider *decider;
    uint64_t within;    /* the filter's window of time; 0: it has none */
    uint64_t now;       /* the clock; 0: no decision depends on it */
    struct rules rules; /* as asked for */
    struct rules file;  /* the same where this file's columns were found */
    const struct output_mode *mode;
    bool until_repeat; /* the first repeat answers everything */
    bool has_header;   /* the first record of a file is not compared */

    struct reader in;
    struct batch batch;     /* of the reader's own window */
    struct sink out, dup;   /* dup.fd is -1 where repeats go nowhere else */
    struct undo_log ledger; /* kept where verdicts may have to be undone */
    struct engine_counts counts;

    bool header_due; /* the next record is a file's header */
    bool header_shown;
    freshet_hash header; /* that was shown */

    unsigned threads;          /* that may be used; 1: there never is a team */
    struct ordered_pool *team; /* NULL until there is work for one */
    struct parcel *parcel;     /* what it hands around */
    struct parcel *spare[PIPELINE_DEPTH + 1]; /* that nobody has at hand */
    size_t spares;
    struct parcel *submitted[PIPELINE_DEPTH]; /* that are to be collected */
    unsigned uncollected;
    enum pipeline_result result; /* of what it did with the file */

    /*
     * Called between reads, when all that was read is decided and written and
     * no other thread does anything: the place to look at clocks and signals,
     * and to wait.  False: read no more.
     */
    bool (*between)(void *context);

    /* Whether between() has more to do than to go on.  Without a team it is
       called before each read, and nobody asks. */
    bool (*pressing)(void *context);

    /* Called when a window's records are decided and written. */
    void (*decided)(void *context);
    void *context;
};

/* When rules and reader are set.  -1 if there is no memory; to be closed in
   any case. */
int pipeline_open(struct pipeline *p);
void pipeline_close(struct pipeline *p);

/* After PIPELINE_OUTPUT: the decider forgets what was not written.  False if
   it cannot. */
bool pipeline_undo_unwritten(struct pipeline *p);

/* One file, to its end.  Complains itself. */
enum pipeline_result pipeline_file(struct pipeline *p, const char *name);

#endif
