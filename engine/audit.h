/*
 * audit.h - how often a filter is wrong on this very stream
 *
 * The exact truth is kept for a sample of the stream, in bounded memory.
 *
 * False drops are judged for a sample of the keys: all that a key's records
 * were is known, so that its new ones can be told.  False passes are judged for
 * a sample of the records: a repeat is checked if the record that makes it a
 * repeat was drawn, by its number.  So keys that come often do not weigh more
 * in the sample than in the stream, and a wrong verdict on one says nothing
 * about another.
 *
 * Which record makes another a repeat: without a window, or with one that
 * counts from a key's last record, the one before of the same key.  With a
 * window that counts from the pass, the last one of the same key that passed.
 * All repeats of a drawn pass are checked; their interval is that of a ratio
 * over passes.
 *
 * When the sample is full, half of it is given up, and so are its counts: what
 * is reported is what the final sample would have counted from the first record
 * on, so rates are not weighed towards the beginning of the stream.
 *
 * The choice does not depend on where the filter puts a key: the sample's
 * keys are as likely to be wronged as any.  It depends on the seed and on the
 * records in their order, and on nothing else.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit_rate.h"
#include "freshet.h"

struct audit;

/*
 * The window is in the unit of now, records or time; 0: for ever.  It counts
 * from a key's last pass, or with refresh from its last record.
 */
struct audit_window {
    uint64_t length;
    bool refresh;
};

/* A sample in this many bytes (at least a few thousand are taken, and 100 KB
   beside it).  Returns NULL if there is no memory. */
struct audit *audit_create(uint64_t bytes, uint64_t seed,
                           struct audit_window window);

/* Accepts NULL. */
void audit_free(struct audit *a);

/*
 * The filter's verdict on one record, FRESHET_NEW or FRESHET_SEEN.  Now is
 * the record's number or time; going back counts as standing still.
 *
 * A record as far as the window from the one that makes it a repeat is a
 * repeat; beyond 9/8 of it, it is new and a window begins, even if it is
 * dropped; in between either verdict is right and not counted.
 */
void audit_record(struct audit *a, freshet_hash key, int verdict, uint64_t now);

/*
 * The filter knew keys before this run, and which ones is not known.  So no
 * record is known to be new; instead the filter is asked for keys that were
 * made up, which are new for certain: as keys are hashed, they are as likely
 * to be dropped as a new record.  One is due before each of the first 1024
 * records and then before every 64th, whatever batches they come in.
 */
void audit_begin_late(struct audit *a);

/* How many records may be decided before a made-up key is due; UINT64_MAX: it
   never is. */
uint64_t audit_until_made_up(const struct audit *a);

/* The made-up key that is due, and what the filter said of it. */
freshet_hash audit_made_up(const struct audit *a);
void audit_record_made_up(struct audit *a, int verdict);

struct audit_report {
    struct audit_rate false_drop; /* of new records, or of made-up keys */
    struct audit_rate false_pass; /* of repeats */
    uint64_t either;              /* at the window's edge, not counted */
    uint64_t keys;                /* in the sample */
    double share;                 /* of all keys and records: 1, 1/2, 1/4 ... */
};

void audit_get_report(const struct audit *a, struct audit_report *out);

#endif
