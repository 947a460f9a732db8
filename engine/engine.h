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

#include "audit.h"
#include "freshet.h"
#include "ordered_pool.h"
#include "reader.h"
#include "redis.h"
#include "sink.h"
#include "undo_log.h"
#include "window.h"

/* What happened to records.  The four add up to all there were. */
struct counts {
    uint64_t fresh, repeats;
    uint64_t passed;    /* let through without a key */
    uint64_t dropped;   /* held back for want of one */
    uint64_t malformed; /* of those two, for that reason */
    uint64_t unasked;   /* of those passed, because no server answered */
    uint64_t bytes;     /* read */
};

enum show {
    SHOW_NEW,
    SHOW_REPEATS,  /* every repeat */
    SHOW_REPEATED, /* a key's first repeat */
    SHOW_ALL,      /* new and repeats, marked "0\t" and "1\t" */
    SHOW_NOTHING
};

enum pipeline_result {
    PIPELINE_DONE,
    PIPELINE_STOPPED, /* between() or until_repeat said so */
    PIPELINE_INPUT,   /* trouble with this file; others may do */
    PIPELINE_FAILED,  /* trouble that shall end it; all decided is written */
    PIPELINE_OUTPUT   /* trouble for good: records were decided, not written */
};

struct parcel;

struct pipeline {
    freshet *filter;      /* with a remote one it only hashes, as that does */
    struct redis *remote; /* who decides, if not the filter; else NULL */
    freshet *repeated;    /* keys shown, for SHOW_REPEATED; else NULL */
    struct audit *audit;  /* NULL if nobody asked */
    bool timed;           /* the filter has a window of time */
    uint64_t now;         /* that it was told */
    bool ask_only;        /* the filter learns nothing */
    struct rules rules;
    enum show show;
    bool until_repeat; /* the first repeat answers everything */
    bool has_header;   /* the first record of a file is not compared */

    struct reader in;
    struct batch batch;     /* of the reader's own window */
    struct sink out, dup;   /* dup.fd is -1 where repeats go nowhere else */
    struct undo_log ledger; /* kept where verdicts may have to be undone */
    struct counts counts;

    bool header_due; /* the next record is a file's header */
    bool header_shown;
    freshet_hash header; /* that was shown */

    unsigned threads;          /* that may be used; 1: there never is a team */
    struct ordered_pool *team; /* NULL until there is work for one */
    struct parcel *parcel;     /* what it hands around; or we, to the remote */
    struct parcel *spare[REDIS_DEPTH + 1]; /* that nobody has at hand */
    size_t spares;
    struct parcel *asked[REDIS_DEPTH]; /* whose answers are to be heard */
    enum pipeline_result result;       /* of what it did with the file */

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

/* About the filter that decides. */
void pipeline_info(const struct pipeline *p, freshet_info *info);

/* After PIPELINE_OUTPUT: the filters forget what was not written.  False if
   they cannot. */
bool pipeline_take_back(struct pipeline *p);

/* One file, to its end.  Complains itself. */
enum pipeline_result pipeline_file(struct pipeline *p, const char *name);

#endif
