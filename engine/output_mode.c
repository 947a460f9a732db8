/*
 * output_mode.c - which verdicts are printed, and how they are marked
 */
#include "output_mode.h"

const struct output_mode output_modes[OUTPUT_MODES] = {
    [OUTPUT_NEW] = {.shows = VERDICT_BIT(NEW) | VERDICTS_PASSED},
    [OUTPUT_REPEATS] = {.shows = VERDICTS_REPEATS | VERDICT_BIT(HEADER)},
    [OUTPUT_FIRST_REPEATS] = {.shows = VERDICT_BIT(FIRST_REPEAT) |
                                       VERDICT_BIT(HEADER)},
    [OUTPUT_ALL] = {.shows = VERDICTS_COMPARED | VERDICTS_PASSED,
                    .mark = {[VERDICT_NEW] = "0\t",
                             [VERDICT_REPEAT] = "1\t",
                             [VERDICT_FIRST_REPEAT] = "1\t",
                             [VERDICT_UNDECIDED] = "-\t",
                             [VERDICT_MISSING_PASSED] = "-\t",
                             [VERDICT_MALFORMED_PASSED] = "-\t"}},
    [OUTPUT_NOTHING] = {.shows = 0},
};
