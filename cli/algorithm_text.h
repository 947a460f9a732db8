/*
 * algorithm_text.h - formats facts about an algorithm, from the registry
 */
#ifndef ALGORITHM_TEXT_H
#define ALGORITHM_TEXT_H

#include "freshet.h"

/* Abilities beyond offer, query and remember, by bit; the last row has bit
   0. */
struct ability {
    unsigned bit;
    const char *word, *help;
};
extern const struct ability abilities[];

/* Formats a value: "xor" for 0 of "xor|replace", or a number if the parameter
   has no words. */
enum { ALGORITHM_VALUE = 32 };
const char *algorithm_value(char out[ALGORITHM_VALUE],
                            const freshet_parameter *p, double value);

/* Formats the values that a parameter may have: "1..8" or "xor|replace". */
enum { ALGORITHM_RANGE = 80 };
const char *algorithm_range(char out[ALGORITHM_RANGE],
                            const freshet_parameter *p);

#endif
