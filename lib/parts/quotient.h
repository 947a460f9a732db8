/*
 * quotient.h - streaming quotient filters, of one table or several
 *
 * sqf and isqf are this with m = 1 and with m of the user's choice.
 *
 * A key's fingerprint is cut into a quotient, which picks a row, and an r-bit
 * remainder, of which only the signature is stored:
 *
 *     | r' most significant bits | number of ones, 0 to r |  plus 1
 *
 * The one is added so that zero means an empty slot.
 */
#ifndef FR_QUOTIENT_H
#define FR_QUOTIENT_H

#include "algo.h"
#include "batched.h"
#include "fingerprint_rows.h"
#include "theory/fingerprint_rows_theory.h"
#include "theory/reach.h"

struct quotient {
    struct fr_rows rows;  /* of all tables, one table after the other */
    uint64_t seed, table; /* rows of one table */
    uint32_t r, rp, m;
    uint32_t shift; /* bits of the number of ones */
    uint64_t draws; /* live from here */
    uint64_t pad;
    uint64_t cell[];
};
_Static_assert(sizeof(struct quotient) == 64, "part of the format");

/* The parameters' places; sqf stops before M. */
enum { QUOTIENT_R, QUOTIENT_RP, QUOTIENT_K, QUOTIENT_M };

enum { QUOTIENT_MAX_R = 32, QUOTIENT_MAX_M = 16 };

#define QUOTIENT_PARAMS                                                        \
    [QUOTIENT_R] = {"r", 1,    QUOTIENT_MAX_R,         2,                      \
                    1,   NULL, "bits of the remainder"},                       \
    [QUOTIENT_RP] = {"rp",                                                     \
                     0,                                                        \
                     QUOTIENT_MAX_R,                                           \
                     1,                                                        \
                     1,                                                        \
                     NULL,                                                     \
                     "bits of it stored beside the count of ones"},            \
    [QUOTIENT_K] = {"k", 1, FR_ROW_SLOTS, 4, 1, NULL, "slots per row"}

/* ---- Theory ----------------------------------------------------------- */

/*
 * Two remainders share a signature when their first r' bits agree and the
 * rest have equally many ones.  Signatures are not all equally likely; S is
 * the number of equally likely ones that would clash as often.
 */
static double quotient_kinds(const struct quotient *s)
{
    double rest = (double)(s->r - s->rp);
    double ties = fr_log_factorial(2 * rest) - 2 * fr_log_factorial(rest);

    return exp2(s->rp) / exp(ties - 2 * rest * log(2));
}

static void quotient_expect(const void *state, const freshet_workload *w,
                            freshet_rates *rates)
{
    const struct quotient *s = state;
    struct fr_rowlaw l = {(double)s->table, s->rows.k, quotient_kinds(s), s->m,
                          w->records ? (double)w->distinct : 0};
    struct fr_course course = {&l, fr_rowlaw_false_drop,
                               fr_rowlaw_endless_pass};

    if (w->published) /* an error rate is claimed, a formula is not given */
        return;
    rates->theory = "rows of k distinct signatures, of S equally likely";
    rates->reach = fr_reach(&course);
    if (w->distinct) {
        course.false_pass = fr_rowlaw_finite_pass;
        fr_average(&course, w, rates);
        return;
    }
    rates->false_drop = fr_rowlaw_false_drop(&l, (double)INFINITY);
    rates->false_pass = fr_rowlaw_endless_pass(&l, 0, (double)w->gap);
}

/* ---- Layout ----------------------------------------------------------- */

static unsigned quotient_width(const struct quotient *s)
{
    return fr_slot_width((fr_slot_max(s->rp) << s->shift | s->r) + 1);
}

static size_t quotient_plan(void *state, const struct fr_goal *goal, double m)
{
    struct quotient *s = state;

    s->r = fr_u32(goal->param[QUOTIENT_R]);
    s->rp = fr_u32(goal->param[QUOTIENT_RP]);
    s->m = fr_u32(m);
    s->shift = fr_slot_width(s->r);
    s->seed = goal->seed;
    s->rows.k = fr_u32(goal->param[QUOTIENT_K]);
    s->rows.width = quotient_width(s);
    fr_rows_fit(&s->rows, goal->bytes - sizeof *s, s->m);
    s->table = s->rows.rows / s->m;
    return sizeof *s + fr_rows_bytes(&s->rows);
}

static bool quotient_check(const void *state, size_t bytes)
{
    const struct quotient *s = state;

    return s->r >= 1 && s->r <= QUOTIENT_MAX_R && s->rp <= s->r && s->m >= 1 &&
           s->m <= QUOTIENT_MAX_M && s->shift == fr_slot_width(s->r) &&
           fr_rows_check(&s->rows, bytes - sizeof *s) &&
           s->rows.width == quotient_width(s) &&
           s->rows.rows / s->m == s->table && s->rows.rows % s->m == 0;
}

/* ---- The filter ------------------------------------------------------- */

static uint64_t quotient_row(const struct quotient *s, freshet_hash key,
                             uint32_t i)
{
    return i * s->table + fr_reduce(fr_nth(key, i), s->table);
}

static uint64_t quotient_signature(const struct quotient *s, freshet_hash key)
{
    uint64_t remainder = key.hi & fr_slot_max(s->r);
    uint64_t ones = (uint64_t)__builtin_popcountll(remainder);

    return (remainder >> (s->r - s->rp) << s->shift | ones) + 1;
}

static uint8_t quotient_probe(const struct quotient *s, freshet_hash key)
{
    uint64_t signature = quotient_signature(s, key);

    for (uint32_t i = 0; i < s->m; i++)
        if (fr_row_find(&s->rows, s->cell, quotient_row(s, key, i), signature) <
            s->rows.k)
            return FRESHET_SEEN;
    return FRESHET_NEW;
}

static uint8_t quotient_step(struct quotient *s, freshet_hash key)
{
    uint64_t signature = quotient_signature(s, key);

    if (quotient_probe(s, key) == FRESHET_SEEN)
        return FRESHET_SEEN;
    for (uint32_t i = 0; i < s->m; i++)
        fr_row_put(&s->rows, s->cell, quotient_row(s, key, i), signature,
                   s->seed, &s->draws);
    return FRESHET_NEW;
}

static void quotient_touch(const struct quotient *s, freshet_hash key,
                           uint64_t ahead)
{
    (void)ahead;
    for (uint32_t i = 0; i < s->m; i++)
        fr_row_prefetch(&s->rows, s->cell, quotient_row(s, key, i));
}

FR_BATCHED(quotient)

static void quotient_inspect(const void *state, freshet_info *info)
{
    const struct quotient *s = state;
    double fill;

    info->slots = s->rows.rows * s->rows.k;
    info->used = fr_slots_used(s->cell, info->slots, s->rows.width);
    fill = (double)info->used / (double)s->rows.rows / quotient_kinds(s);
    info->false_drop = 1 - pow(1 - fmin(1, fill), s->m);
}

#endif
