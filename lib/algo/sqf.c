/*
 * sqf.c - streaming quotient filter
 *
 * S. Dutta, A. Narang and S. Bera, "Streaming quotient filter: a near optimal
 * approximate duplicate detection approach for data streams", PVLDB 2013; as
 * described by Che, Yang and Wang (see isqf.c).
 *
 * A key has a row of k slots and a short signature (quotient.h).  It is seen
 * when the row holds the signature; otherwise the signature is put into an
 * empty slot, or over a random one.
 *
 * With the published r=2, r'=1 there are four signatures, as many as slots:
 * nothing is ever evicted, there are no false passes, and rows fill up until
 * all is called seen.  A billion records, 15 % of them new, in 64 MB give 32 %
 * false drops, where the paper claims 0.0042 %: no filter of that size could.
 *
 * Its rows are those of the printed form: with one table a hash of the quotient
 * is as good as the quotient.  k goes up to 1024, for the paper's example of
 * 960 slots; what a search compares on average is the laboratory's
 * search_length.
 *
 * Departures: rows need not be a power of two, and a slot takes the bits that
 * a signature needs, 3 at the published setting; the paper's Eq. 2 charges
 * one bit for a count of ones that has three values.
 */
#include "parts/quotient.h"

static const freshet_parameter sqf_params[] = {QUOTIENT_PARAMS, {0}};

static size_t sqf_plan(void *state, const struct fr_goal *goal)
{
    return quotient_plan(state, goal, 1);
}

static bool sqf_check(const void *state, size_t bytes)
{
    const struct quotient *s = state;

    return s->m == 1 && !s->rows_by && !s->store &&
           quotient_check(state, bytes);
}

static bool sqf_check_older(const void *state, size_t bytes)
{
    const struct quotient *s = state;

    return s->m == 1 && quotient_check_older(state, bytes);
}

#define SQF_ABOUT(abilities)                                                   \
    {                                                                          \
        .name = "sqf", .title = "streaming quotient filter",                   \
        .paper = "Dutta, Narang and Bera, PVLDB 2013",                         \
        .can = FRESHET_CAN_PROMISE | (abilities)                               \
    }

const struct fr_algo fr_sqf = {
    .about = SQF_ABOUT(FRESHET_CAN_SPLIT),
    .id = FR_ID('s', 'q', 'f', '2'),
    .params = sqf_params,
    .plan = sqf_plan,
    .check = sqf_check,
    .split = &quotient_split,
    QUOTIENT_VERBS,
};

/* Filters that freshet 0.1 saved. */
const struct fr_algo fr_sqf_older = {
    .about = SQF_ABOUT(0),
    .id = FR_ID('s', 'q', 'f', '1'),
    .params = sqf_params,
    .plan = sqf_plan,
    .check = sqf_check_older,
    QUOTIENT_VERBS,
};
