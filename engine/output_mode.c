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

static int put_record(struct sink *s, struct view record)
{
    if (sink_put(s, record.at, record.len + 1) < 0)
        return -1;
    return s->by_record ? sink_flush(s) : 0;
}

static int put_marked(struct sink *s, const struct output_mode *mode,
                      const struct view *record, const uint8_t *verdict,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *mark = mode->mark[verdict[i]];

        if (!(mode->shows >> verdict[i] & 1))
            continue;
        if (mark && sink_put(s, mark, strlen(mark)) < 0)
            return -1;
        if (put_record(s, record[i]) < 0)
            return -1;
    }
    return 0;
}

int output_put(struct sink *s, const struct output_mode *mode,
               const struct view *record, const uint8_t *verdict, size_t n)
{
    if (mode->mark[VERDICT_NEW])
        return put_marked(s, mode, record, verdict, n);
    for (size_t i = 0; i < n; i++)
        if (mode->shows >> verdict[i] & 1 && put_record(s, record[i]) < 0)
            return -1;
    return 0;
}
