/*
 * isqf.c - improved streaming quotient filter
 *
 * S. Che, W. Yang and W. Wang, "Improved streaming quotient filter: a
 * duplicate detection approach for data streams", IAJIT 2020.
 *
 * m streaming quotient filters (sqf.c) side by side, with independent rows.
 * A key is seen as soon as one of them holds its signature; otherwise all of
 * them take it.  So a false pass needs m losses, but any table may answer
 * "seen": at equal memory every added table adds false drops, and at the
 * published r=2, r'=1, k=4 there is no false pass to be saved.  The paper's
 * tables show the opposite and cannot be reproduced.
 *
 * Departure: the rows come from the whole hash, not from the quotient alone,
 * so that two keys that share a row of one table need not share the others.
 */
#include "parts/quotient.h"

static const freshet_parameter isqf_params[] = {
    QUOTIENT_PARAMS,
    [QUOTIENT_M] = {"m", 1, QUOTIENT_MAX_M, 2, 1, NULL, "tables"},
    {0},
};

static size_t isqf_plan(void *state, const struct fr_goal *goal)
{
    return quotient_plan(state, goal, goal->param[QUOTIENT_M]);
}

const struct fr_algo fr_isqf = {
    .about = {.name = "isqf",
              .title = "improved streaming quotient filter",
              .paper = "Che, Yang and Wang, IAJIT 2020",
              .can = FRESHET_CAN_PROMISE},
    .id = FR_ID('i', 's', 'q', '1'),
    .params = isqf_params,
    .head = offsetof(struct quotient, draws),
    .base = sizeof(struct quotient),
    .plan = isqf_plan,
    .check = quotient_check,
    .offer = quotient_offer,
    .query = quotient_query,
    .inspect = quotient_inspect,
    .expect = quotient_expect,
};
