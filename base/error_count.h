/*
 * error_count.h - verdicts against the truth
 */
#ifndef ERROR_COUNT_H
#define ERROR_COUNT_H

#include <stdint.h>

struct tally {
    uint64_t records, repeats; /* the rest of the records is new */
    uint64_t seen, hits;       /* called repeats; of those, truly so */
};

void tally_add(struct tally *sum, const struct tally *t);

/* What came after t was all of it. */
struct tally tally_since(const struct tally *now, const struct tally *t);

/* In how many of n places both are 1; elsewhere they are 0. */
uint64_t tally_both(const uint8_t *seen, const uint8_t *repeat, uint64_t n);

/* New records; of them, called repeats.  Repeats called new. */
uint64_t tally_new(const struct tally *t);
uint64_t tally_drops(const struct tally *t);
uint64_t tally_passes(const struct tally *t);

/* Shares of new records and of repeats; NaN if there were none. */
double tally_false_drops(const struct tally *t);
double tally_false_passes(const struct tally *t);

#endif
