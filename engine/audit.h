/*
 * audit.h - measures the error rates of a filter on its own stream
 *
 * The exact truth is kept for a sample of the stream, in bounded memory.
 *
 * False drops are counted for a sample of the keys: all records of a drawn key
 * are known, so its new ones are known, too.  False passes are counted for a
 * sample of the records: a repeat is checked if the record that it repeats was
 * drawn, by its number.  So frequent keys do not weigh more in the sample than
 * in the stream, and wrong verdicts are independent of each other.
 *
 * A record repeats the record before it with the same key; with a window that
 * counts from the pass, it repeats the last record of the key that passed.  All
 * repeats of a drawn pass are checked then, and their interval is that of a
 * ratio over passes.
 *
 * When the sample is full, half of it is discarded together with its counts:
 * the result is what the final sample would have counted from the first record
 * on, so that the beginning of the stream does not weigh more.
 *
 * The choice of keys is independent of where the filter places them, so that
 * drawn keys have the same error rates as others.  It depends only on the seed
 * and on the records in their order.
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
 * The window has the unit of now, records or time; 0: no limit.  It counts from
 * a key's last pass, or with refresh from its last record.
 */
struct audit_window {
    uint64_t length;
    bool refresh;
};

/* Creates a sample in this many bytes (at least a few thousand, plus 100 KB).
   Returns NULL if there is no memory. */
struct audit *audit_create(uint64_t bytes, uint64_t seed,
                           struct audit_window window);

/* Accepts NULL. */
void audit_free(struct audit *a);

/*
 * Counts the filter's verdict on one record, FRESHET_NEW or FRESHET_SEEN.  now
 * is the record's number or time; it never goes back.
 *
 * A record within the window of the record that it repeats is a repeat; beyond
 * 9/8 of the window it is new and begins a window, even if it is dropped;
 * between the two either verdict is right and is not counted.
 */
void audit_record(struct audit *a, freshet_hash key, int verdict, uint64_t now);

/*
 * To be called if the filter knew keys before this run.  No record is known to
 * be new then; instead the filter is queried for made-up keys, which are
 * certainly new and, since keys are hashed, as likely to be dropped as a new
 * record.  One is due before each of the first 1024 records and then before
 * every 64th, independent of batches.
 */
void audit_begin_late(struct audit *a);

/* Returns how many records may be decided before a made-up key is due;
   UINT64_MAX: it never is. */
uint64_t audit_until_made_up(const struct audit *a);

/* The made-up key that is due, and the filter's verdict on it. */
freshet_hash audit_made_up(const struct audit *a);
void audit_record_made_up(struct audit *a, int verdict);

struct audit_report {
    struct audit_rate false_drop; /* share of new records, or of made-up keys */
    struct audit_rate false_pass; /* share of repeats */
    uint64_t either;              /* records at the end of a window, not
                                     counted */
    uint64_t keys;                /* keys in the sample */
    double share;                 /* share of keys and records that is drawn: 1,
                                     1/2, 1/4 ... */
};

void audit_get_report(const struct audit *a, struct audit_report *out);

#endif
