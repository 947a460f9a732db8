/*
 * error_count.h - counts false drops and false passes
 */
#ifndef ERROR_COUNT_H
#define ERROR_COUNT_H

#include <stdint.h>

struct error_count {
    uint64_t records, repeats; /* all other records are new */
    uint64_t seen, hits;       /* records called repeats; those of them that are
                                  repeats */
};

void error_count_add(struct error_count *sum, const struct error_count *t);

/* Returns the difference of two counts. */
struct error_count error_count_since(const struct error_count *now,
                                     const struct error_count *t);

/* Returns in how many of n places both bytes are 1; a byte is 0 or 1. */
uint64_t error_count_both(const uint8_t *seen, const uint8_t *repeat,
                          uint64_t n);

/* Returns the number of new records, of new records that were called repeats,
   and of repeats that were called new. */
uint64_t error_count_new(const struct error_count *t);
uint64_t error_count_drops(const struct error_count *t);
uint64_t error_count_passes(const struct error_count *t);

/* Returns the rate of either error, as a share of new records or of repeats;
   NaN if there were none. */
double error_count_false_drops(const struct error_count *t);
double error_count_false_passes(const struct error_count *t);

#endif
