/*
 * algorithm_text.c - formats facts about an algorithm, from the registry
 */
#include "algorithm_text.h"

#include <stdio.h>
#include <string.h>

const struct ability abilities[] = {
    {FRESHET_CAN_FORGET, "forget", "can forget single keys"},
    {FRESHET_CAN_MERGE, "merge", "can take over the keys of another filter"},
    {FRESHET_CAN_WINDOW, "window", "can look back a number of records"},
    {FRESHET_CAN_WITHIN, "within", "can look back a length of time"},
    {FRESHET_CAN_PROMISE, "promise",
     "always finds a key offered twice in a row"},
    {FRESHET_CAN_SPLIT, "split", "can be used by many threads at once"},
    {0, NULL, NULL},
};

const char *algorithm_value(char out[ALGORITHM_VALUE],
                            const freshet_parameter *p, double value)
{
    const char *word = p->words;

    for (int i = 0; word && i < (int)value; i++)
        word += strcspn(word, "|") + 1;
    if (word)
        snprintf(out, ALGORITHM_VALUE, "%.*s", (int)strcspn(word, "|"), word);
    else
        snprintf(out, ALGORITHM_VALUE, "%g", value);
    return out;
}

const char *algorithm_range(char out[ALGORITHM_RANGE],
                            const freshet_parameter *p)
{
    if (p->words)
        snprintf(out, ALGORITHM_RANGE, "%s", p->words);
    else
        snprintf(out, ALGORITHM_RANGE, "%g..%g", p->min, p->max);
    return out;
}
