/*
 * audit.h - how often a filter is wrong on this very stream
 *
 * The exact truth is kept for a sample of the keys, chosen by a hash, in
 * bounded memory.  When the sample is full, half of its keys are given up, and
 * so are their counts: what is reported is what the final sample would have
 * counted from the first record on, so rates are not weighed towards the
 * beginning of the stream.
 *
 * The choice does not depend on where the filter puts a key: the sample's
 * keys are as likely to be wronged as any.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

struct audit;

/*
 * A sample in so many bytes (at least a few thousand are taken).  The window
 * is in the unit of now, records or time; 0: for ever.  It counts from a
 * key's last pass, or with refresh from its last record.  NULL if there is no
 * memory.
 */
struct audit *audit_create(uint64_t bytes, uint64_t window, bool refresh);

/*
 * The filter knew keys before this run, and which ones is not known.  Of a key
 * that comes first neither verdict can be judged; instead the filter is asked
 * for a key that was made up, which is new for certain: as keys are hashed, it
 * is as likely to be dropped as a new record.  In a window that counts from a
 * key's first pass, keys count from the first pass of this run on.
 */
void audit_begin_late(struct audit *a, const freshet *f);

/* Accepts NULL. */
void audit_free(struct audit *a);

/*
 * The filter's verdict on one record, FRESHET_NEW or FRESHET_SEEN.  Now is
 * the record's number or time; going back counts as standing still.  A record
 * as far as the window from its key's last one is a repeat, beyond 9/8 of it
 * is new, and in between either verdict is right and not counted.
 */
void audit_record(struct audit *a, freshet_hash key, int verdict, uint64_t now);

/* Of n, so many were wrong: their share, between low and high with 95 %. */
struct audit_rate {
    uint64_t wrong, n;
    double rate, low, high; /* NaN, 0 and 1 if n is 0 */
    const char *of;         /* "repeats" */
};

struct audit_report {
    struct audit_rate false_drop; /* of new records, or of made-up keys */
    struct audit_rate false_pass; /* of repeats */
    uint64_t either;              /* at the window's edge, not counted */
    uint64_t keys;                /* in the sample */
    double share;                 /* of all keys: 1, 1/2, 1/4 ... */
};

void audit_get_report(const struct audit *a, struct audit_report *out);

/* Wilson's interval: right also for few records and for rates near 0 or 1. */
struct audit_rate audit_rate_of(uint64_t wrong, uint64_t n);

#endif
