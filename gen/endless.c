/*
 * endless.c - every key is new, but for repeats planted at chosen gaps
 *
 * What a filter forgets, and when, shows as false passes by the gap.
 */
#include "kind.h"
#include "planted.h"

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    if (planted_start(state, p, why) < 0)
        return -1;
    about->knows_truth = true;
    about->universe = p->records;
    if (p->records)
        about->distinct = planted_distinct(state, p->records, p->repeats);
    return 0;
}

const struct gen_kind gen_endless = {
    .name = "endless",
    .summary = "new keys only, but for repeats planted at chosen gaps",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = start,
    .next = planted_next,
};
