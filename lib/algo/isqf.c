/*
 * isqf.c - improved streaming quotient filter
 *
 * S. Che, W. Yang and W. Wang, "Improved streaming quotient filter: a
 * duplicate detection approach for data streams", IAJIT 2020.
 *
 * m streaming quotient filters (sqf.c) side by side.  A key is seen as soon as
 * one of them holds its signature.  So a false pass needs m losses, but any
 * table may answer "seen": at equal memory every added table adds false drops,
 * and at the published r=2, r'=1, k=4 there is no false pass to be saved.  The
 * paper's tables show the opposite and cannot be reproduced.
 *
 * Where the paper differs from itself, each reading has a word:
 *
 *     store=all     Algorithm 1: a signature that no table holds goes into all
 *     store=along   section 4.1: into each table that was searched in vain, on
 *                   the way to the one that holds it
 *     store=each    section 5: each table decides alone, and takes what it
 *                   lacks
 *
 *     rows=quotient Algorithm 1: the rows are m hashes of the quotient, so that
 *                   keys that share a quotient share all of their rows
 *     rows=hash     the rows are m hashes of the key: a departure that drops
 *                   fewer new keys, and the default.  All of them lie in the
 *                   same run of 256 rows of their tables, so that threads can
 *                   share a filter (section 5)
 */
#include "parts/quotient.h"

static const freshet_parameter isqf_params[] = {
    QUOTIENT_PARAMS,
    [QUOTIENT_M] = {"m", 1, QUOTIENT_MAX_M, 2, 1, NULL, "tables"},
    [QUOTIENT_ROWS] = {"rows", 0, BY_QUOTIENT, BY_HASH, 1, "hash|quotient",
                       "what chooses a row; quotient needs at least 16 rows"},
    [QUOTIENT_STORE] = {"store", 0, STORE_EACH, STORE_ALL, 1, "all|along|each",
                        "which tables store a signature"},
    {0},
};

/* The parameters of freshet 0.1. */
static const freshet_parameter isqf_older_params[] = {
    QUOTIENT_PARAMS,
    [QUOTIENT_M] = {"m", 1, QUOTIENT_MAX_M, 2, 1, NULL, "tables"},
    {0},
};

static size_t isqf_plan(void *state, const struct fr_goal *goal)
{
    struct quotient *s = state;

    s->rows_by = (uint8_t)goal->param[QUOTIENT_ROWS];
    s->store = (uint8_t)goal->param[QUOTIENT_STORE];
    return quotient_plan(state, goal, goal->param[QUOTIENT_M]);
}

#define ISQF_ABOUT(abilities)                                                  \
    {                                                                          \
        .name = "isqf", .title = "improved streaming quotient filter",         \
        .paper = "Che, Yang and Wang, IAJIT 2020",                             \
        .can = FRESHET_CAN_PROMISE | (abilities)                               \
    }

const struct fr_algo fr_isqf = {
    .about = ISQF_ABOUT(FRESHET_CAN_SPLIT),
    .id = FR_ID('i', 's', 'q', '2'),
    .params = isqf_params,
    .plan = isqf_plan,
    .check = quotient_check,
    .split = &quotient_split,
    QUOTIENT_VERBS,
};

/* Filters that freshet 0.1 saved. */
const struct fr_algo fr_isqf_older = {
    .about = ISQF_ABOUT(0),
    .id = FR_ID('i', 's', 'q', '1'),
    .params = isqf_older_params,
    .plan = isqf_plan,
    .check = quotient_check_older,
    QUOTIENT_VERBS,
};
