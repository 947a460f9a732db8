/*
 * decider.h - who says whether keys are new: a filter here, or a server
 *
 * Decisions are submitted in the order of the stream and collected in the
 * same order.  A decider may decide when a decision is submitted, or only ask
 * then and learn the verdicts when it is collected; up to depth decisions may
 * wait for that.
 *
 * Of a decider of several parts route() is called first: it says which part
 * each key belongs to, and may be called by any thread for any decision.
 * Between submit() and collect(), decide_part() decides the keys of one part.
 * Parts may be decided side by side, each by one thread at a time and in the
 * order of the stream; decisions are then collected in any order.
 */
#ifndef DECIDER_H
#define DECIDER_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"
#include "verdict.h"

enum decider_operation {
    DECIDER_OFFER,   /* ask and remember */
    DECIDER_QUERY,   /* ask only */
    DECIDER_REMEMBER /* remember only: the verdict is VERDICT_NEW */
};

enum { DECIDER_PARTS_MOST = FRESHET_MOST_PARTS };

/* Keys to decide.  All arrays are the caller's, and stay as they are from
   submit() to collect(). */
struct decision {
    size_t n;
    const freshet_hash *hash;
    const uint64_t *time;     /* of each key; NULL: all are of now */
    const uint8_t *operation; /* enum decider_operation of each key; NULL: the
                                 decider's own */
    uint64_t now;             /* the clock; 0: the filter has none */
    uint8_t *verdict;         /* out: enum verdict of each key */

    /* Hash the keys again, by another hasher, into the same array: returns
       false if there is no memory.  NULL: the keys are no longer there. */
    bool (*rehash)(void *context, const freshet_hasher *hasher);
    void *rehash_context;

    /* Where a decider has parts: the keys sorted by parts, the index of each,
       and the verdicts on them.  Those of part p stand from part_start[p] up to
       part_start[p + 1]. */
    freshet_hash *sorted;
    uint32_t *by_part;
    uint8_t *part_verdict;
    uint32_t part_start[DECIDER_PARTS_MOST + 1];
    uint64_t first; /* keys that were submitted before these */
};

struct decider;

struct decider_type {
    const char *name;

    void (*submit)(struct decider *d, struct decision *b);
    /* Returns false if keys were not decided, and why. */
    bool (*collect)(struct decider *d, struct decision *b, struct fault *why);

    /* Where parts is above 1; else NULL. */
    void (*route)(const struct decider *d, struct decision *b);
    void (*decide_part)(struct decider *d, struct decision *b, unsigned part);

    /* Tells that the records of this many more keys are written, in the order
       of the stream; any thread may call it.  NULL: it does not matter. */
    void (*written)(struct decider *d, uint64_t keys);
    /* All is written: complete what depends on that.  Returns false and why if
       it fails.  NULL: nothing does. */
    bool (*finish)(struct decider *d, struct fault *why);

    /* No thread decides: make the filter whole, so that it may be looked at and
       saved.  NULL: it always is. */
    void (*rest)(struct decider *d);

    /* Undo the newest decision that is not undone yet.  Returns false if that
       cannot be done; NULL: it never can. */
    bool (*undo)(struct decider *d, freshet_hash key, enum verdict verdict);

    /* Describe the filter, when all decisions are collected. */
    void (*info)(struct decider *d, freshet_info *out);

    void (*close)(struct decider *d);
};

struct decider {
    const struct decider_type *type;
    freshet_hasher hasher; /* of keys */
    size_t most;           /* keys of one decision; 0: any number */
    unsigned depth;        /* decisions that may wait to be collected while
                              the next is prepared */
    unsigned parts;        /* 0 or 1: it has none */

    /* Told what is no fault; NULL: nobody is. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
};

/*
 * A filter of this process, which stays the caller's.  Keys without an
 * operation of their own are decided by this one.  NULL: no memory.
 */
struct decider *decider_local(freshet *filter,
                              enum decider_operation operation);

/*
 * The same for several threads, which offer keys to up to this many parts of
 * the filter.  Decisions have neither times nor operations.  NULL: the filter
 * cannot be split, or no memory.
 */
struct decider *decider_parts(freshet *filter, unsigned parts);

/*
 * Tells a key's first repeat from its later ones, by a filter of the keys
 * whose first repeat has been; it stays the caller's.  The new decider closes
 * the inner one.  NULL: no memory, and inner is closed.
 */
struct decider *decider_first_repeat(struct decider *inner, freshet *repeated);

/*
 * Checks each verdict of the inner decider, and closes that.  The audit stays
 * the caller's; its clock is that of decisions, or else counts keys.  NULL: no
 * memory, and inner is closed.
 */
struct audit;
struct decider *decider_audited(struct decider *inner, struct audit *audit);

/* Accepts NULL. */
static inline void decider_close(struct decider *d)
{
    if (d)
        d->type->close(d);
}

#endif
