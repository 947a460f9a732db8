/*
 * window.h - records on their way: views, keys and verdicts
 *
 * What is done here changes nothing but the batch, so that several threads
 * may each have one at hand.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "csv_text.h"
#include "decider.h"
#include "event_time.h"
#include "key.h"
#include "reader.h"

enum missing { MISSING_PASS, MISSING_DROP, MISSING_KEY };

enum malformed { MALFORMED_PASS, MALFORMED_DROP, MALFORMED_FAIL };

/* How records are told apart and compared: the same for all batches. */
struct rules {
    char delimiter;
    enum missing missing;
    enum malformed malformed;
    struct key *key;
    struct event_time time; /* whose clock is told to the filter, if set */
};

struct batch {
    const struct rules *rules;
    struct reader *in;            /* the window of the records */
    struct csv_splitter splitter; /* where records are CSV */
    struct key_scratch scratch, time_scratch;

    size_t capacity, n;
    size_t first_data; /* index of the first record that is no header */
    struct view *record;
    uint8_t *verdict;

    /* The records that have a key are decided. */
    struct decision decision;
    freshet_hash *hash;
    uint64_t *time;          /* if records say */
    uint64_t latest;         /* time of a record that is not malformed */
    uint8_t *key_verdict;    /* where some records have no key */
    uint32_t *record_of_key; /* index of the record each key came from */

    const char *broken; /* the record to fail at, or NULL */
    const char *why;    /* what is wrong with it */
    bool no_memory;     /* for a key */
    bool submitted;     /* and to be collected */
};

/* Room for so many records.  -1 if there is no memory; to be freed in any
   case. */
int batch_init(struct batch *b, const struct rules *rules, struct reader *in,
               size_t capacity);
void batch_free(struct batch *b);

/* A file begins. */
void batch_begin(struct batch *b);

/* The next records of the window; how many. */
size_t batch_split(struct batch *b);

/*
 * Hash the records' keys, and judge those without.  Where
 * the run is to end at a malformed record, so does the batch.
 */
void batch_take_keys(struct batch *b, const freshet_hasher *hasher);

/* When the keys are decided: verdicts on all records. */
void batch_take_verdicts(struct batch *b);

#endif
