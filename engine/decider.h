/*
 * decider.h - the interface of what decides whether keys are new: a filter of
 * this process, or a server
 *
 * Decisions are submitted in the order of the stream and collected in the same
 * order.  A decider may decide in submit(), or only send a request then and
 * receive the verdicts in collect(); up to depth decisions may be waiting.
 *
 * If a decider has several parts, route() is called first: it assigns each key
 * to a part, and any thread may call it for any decision.  Between submit() and
 * collect(), decide_part() decides the keys of one part.  Different parts may
 * be decided at the same time, each by one thread at a time and in the order of
 * the stream; decisions are then collected in any order.
 */
#ifndef DECIDER_H
#define DECIDER_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"
#include "verdict.h"

enum decider_operation {
    DECIDER_OFFER,   /* decide and remember */
    DECIDER_QUERY,   /* decide only */
    DECIDER_REMEMBER /* remember only: the verdict is VERDICT_NEW */
};

enum { DECIDER_PARTS_MOST = FRESHET_MOST_PARTS };

/* Keys to decide.  The arrays belong to the caller, who does not change them
   between submit() and collect(). */
struct decision {
    size_t n;
    const freshet_hash *hash;
    const uint64_t *time;     /* time of each key; NULL: now */
    const uint8_t *operation; /* enum decider_operation of each key; NULL: the
                                 decider's default */
    uint64_t now;             /* the clock; 0: the filter has none */
    uint8_t *verdict;         /* out: enum verdict of each key */

    /* Hashes the keys again, with another hasher, into the same array.  Returns
       false if there is no memory.  NULL: the keys no longer exist. */
    bool (*rehash)(void *context, const freshet_hasher *hasher);
    void *rehash_context;

    /*
     * If the decider has parts: the keys sorted by parts, the index of each,
     * and the verdicts on them.  Those of part p are from part_start[p] up to
     * part_start[p + 1].
     */
    freshet_hash *sorted;
    uint32_t *by_part;
    uint8_t *part_verdict;
    uint32_t part_start[DECIDER_PARTS_MOST + 1];
    uint64_t first; /* number of keys submitted before these */
};

struct decider;

struct decider_type {
    const char *name;

    void (*submit)(struct decider *d, struct decision *b);
    /* Returns false and sets *why if keys were not decided. */
    bool (*collect)(struct decider *d, struct decision *b, struct fault *why);

    /* NULL unless parts is above 1. */
    void (*route)(const struct decider *d, struct decision *b);
    void (*decide_part)(struct decider *d, struct decision *b, unsigned part);

    /* Tells the decider that the records of this many more keys are written, in
       the order of the stream; any thread may call it.  NULL: not needed. */
    void (*written)(struct decider *d, uint64_t keys);
    /* Completes what can only be done when all records are written.  Returns
       false and sets *why on error.  NULL: not needed. */
    bool (*finish)(struct decider *d, struct fault *why);

    /* Makes the filter complete, so that it may be read and saved, while no
       thread decides.  NULL: it always is. */
    void (*rest)(struct decider *d);

    /* Undoes the last decision that is not undone yet.  Returns false if that
       is impossible; NULL: it always is. */
    bool (*undo)(struct decider *d, freshet_hash key, enum verdict verdict);

    /* Describes the filter, when all decisions are collected. */
    void (*info)(struct decider *d, freshet_info *out);

    void (*close)(struct decider *d);
};

struct decider {
    const struct decider_type *type;
    freshet_hasher hasher; /* hasher of its keys */
    size_t most;           /* most keys of one decision; 0: any number */
    unsigned depth;        /* decisions that may wait to be collected while
                              the next is prepared */
    unsigned parts;        /* 0 or 1: it has none */

    /* Receives messages that are no faults; NULL: they are dropped. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
};

/*
 * Creates a decider for a filter of this process, which the caller frees.  Keys
 * without an operation of their own get this one.  Returns NULL if there is no
 * memory.
 */
struct decider *decider_local(freshet *filter,
                              enum decider_operation operation);

/*
 * The same for several threads, which offer keys to up to this many parts of
 * the filter.  Decisions have no operations.  Returns NULL if the filter cannot
 * be split or is too small for two parts, or there is no memory.
 */
struct decider *decider_parts(freshet *filter, unsigned parts);

/*
 * Distinguishes a key's first repeat from later ones, by a filter of the keys
 * that have been repeated, which the caller frees.  The new decider closes the
 * inner one.  Returns NULL, and closes inner, if there is no memory.
 * first_repeat_options() turns the options of the inner decider's filter into
 * those of the filter of repeated keys.
 */
void first_repeat_options(freshet_options *options);
struct decider *decider_first_repeat(struct decider *inner, freshet *repeated);

/*
 * Checks each verdict of the inner decider, which it closes.  The caller frees
 * the audit, whose clock is that of decisions or counts keys.  Returns NULL,
 * and closes inner, if there is no memory.
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
