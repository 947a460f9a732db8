/*
 * algorithm_text.h - what the registry says of an algorithm, in words
 */
#ifndef ALGORITHM_TEXT_H
#define ALGORITHM_TEXT_H

#include "freshet.h"

/* What an algorithm can do beyond the three verbs, by bit; ends at bit 0. */
struct ability {
    unsigned bit;
    const char *word, *help;
};
extern const struct ability abilities[];

/* "xor" for 0 of "xor|replace"; a number where there are no words. */
enum { ALGORITHM_VALUE = 32 };
const char *algorithm_value(char out[ALGORITHM_VALUE],
                            const freshet_parameter *p, double value);

/* What a parameter may be: "1..8" or "xor|replace". */
enum { ALGORITHM_RANGE = 80 };
const char *algorithm_range(char out[ALGORITHM_RANGE],
                            const freshet_parameter *p);

#endif
