/*
 * output_mode.h - which verdicts are printed, and how they are marked
 *
 * Only this module decides that.
 */
#ifndef OUTPUT_MODE_H
#define OUTPUT_MODE_H

#include <string.h>

#include "verdict.h"

struct output_mode {
    unsigned shows;                   /* a set of verdicts */
    const char *const mark[VERDICTS]; /* text before a record, or NULL */
};

enum {
    OUTPUT_NEW,
    OUTPUT_REPEATS,
    OUTPUT_FIRST_REPEATS, /* for a decider that distinguishes them */
    OUTPUT_ALL, /* marked "0\t", "1\t" for repeats, "-\t" if not compared */
    OUTPUT_NOTHING,
    OUTPUT_MODES
};

extern const struct output_mode output_modes[OUTPUT_MODES];

/* Returns the bytes that a record adds to the output. */
static inline uint64_t output_bytes(const struct output_mode *mode,
                                    unsigned verdict, size_t len)
{
    const char *mark = mode->mark[verdict];

    if (!(mode->shows >> verdict & 1))
        return 0;
    return len + 1 + (mark ? strlen(mark) : 0);
}

/* Returns the length of the longest mark. */
static inline size_t output_mark_most(const struct output_mode *mode)
{
    size_t most = 0;

    for (unsigned v = 0; v < VERDICTS; v++)
        if (mode->mark[v] && strlen(mode->mark[v]) > most)
            most = strlen(mode->mark[v]);
    return most;
}

#endif
