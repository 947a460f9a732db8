/*
 * window.h - records on their way: views, keys and verdicts
 *
 * What is done here changes nothing but the batch, so that several threads
 * may each have one at hand.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "csv_text.h"
#include "event_time.h"
#include "freshet.h"
#include "key.h"
#include "reader.h"

/* The first two are the filter's own. */
enum verdict {
    VERDICT_FRESH = FRESHET_NEW,
    VERDICT_REPEAT = FRESHET_SEEN,
    VERDICT_PASSED,
    VERDICT_DROPPED,
    VERDICT_HEADER
};

enum missing { MISSING_PASS, MISSING_DROP, MISSING_KEY };

enum malformed { MALFORMED_PASS, MALFORMED_DROP, MALFORMED_FAIL };

/* How records are told apart and compared: the same for all batches. */
struct rules {
    char delimiter;
    enum missing missing;
    enum malformed malformed;
    struct key_spec key;
    struct event_time time; /* whose clock is told to the filter, if set */
};

struct batch {
    const struct rules *rules;
    struct reader *in;            /* the window of the records */
    struct csv_splitter splitter; /* where rules->key.csv is set */
    struct key_scratch scratch;

    size_t most, n;
    size_t first; /* 1 if a header is before it */
    struct view *record;
    uint8_t *verdict;

    size_t keys; /* of the records, those that have one */
    freshet_hash *hash;
    uint64_t *time; /* if records say */
    uint8_t *seen;
    uint32_t *of; /* whose */

    uint64_t passed, dropped; /* for want of a key */
    uint64_t malformed;       /* of those two, for that reason */
    const char *broken;       /* the record to fail at, or NULL */
    const char *why;          /* what is wrong with it */
    bool no_memory;           /* for a key */
    bool asked;               /* a server was, and its answer is to be heard */
};

/* Room for so many records.  -1 if there is no memory; to be freed in any
   case. */
int batch_init(struct batch *b, const struct rules *rules, struct reader *in,
               size_t most);
void batch_free(struct batch *b);

/* A file begins. */
void batch_begin(struct batch *b);

/* The next records of the window; how many. */
size_t batch_split(struct batch *b);

/*
 * Hash the records' keys as the filter does, and judge those without.  Where
 * the run is to end at a malformed record, so does the batch.
 */
void batch_take_keys(struct batch *b, const freshet *filter);

#endif
