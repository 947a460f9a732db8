/*
 * quotient.h - streaming quotient filters of one table or several
 *
 * sqf is this with m = 1, isqf with m chosen by the user.
 *
 * A key's fingerprint is divided into a quotient, which selects a row of each
 * table, and an r-bit remainder, of which only the signature is stored:
 *
 *     | r' most significant bits | number of ones, 0 to r |  plus 1
 *
 * The one is added so that zero means an empty slot.
 *
 * The slot that a full row gives up is drawn by the number of the record.
 * Filters that were saved by freshet 0.1 count their draws instead: they have
 * an id of their own, and each id has an algorithm below.
 *
 * Threads can share a filter if no two of them need one row.  With one table a
 * key has one row.  With several, rows by a hash of the key lie in the same run
 * of 256 rows of each table.
 */
#ifndef FR_QUOTIENT_H
#define FR_QUOTIENT_H

#include "algo.h"
#include "by_record.h"
#include "fingerprint_rows.h"
#include "theory/fingerprint_rows_theory.h"
#include "theory/reach.h"

struct quotient_live {
    uint64_t records; /* so far; draws so far if by_record is 0 */
    uint64_t sample;  /* searches sampled, and from bit 32 on slots compared:
                         see quotient_count_search() */
};

struct quotient {
    struct fr_rows rows;  /* rows of all tables, one after the other */
    uint64_t seed, table; /* rows of one table */
    uint32_t r, rp, m;
    uint8_t shift; /* bits of the number of ones */
    uint8_t rows_by, store;
    uint8_t by_record;         /* 0: draws are counted, as freshet 0.1 did */
    struct quotient_live live; /* live from here */
    uint64_t cell[];
};
_Static_assert(sizeof(struct quotient) == 64, "part of the format");

/* Indices of the parameters; sqf stops before M. */
enum {
    QUOTIENT_R,
    QUOTIENT_RP,
    QUOTIENT_K,
    QUOTIENT_M,
    QUOTIENT_ROWS,
    QUOTIENT_STORE
};

/* The values of rows and store. */
enum { BY_HASH, BY_QUOTIENT };
enum { STORE_ALL, STORE_ALONG, STORE_EACH };

enum {
    QUOTIENT_MAX_R = 32,
    QUOTIENT_MAX_M = 16,
    QUOTIENT_LEAST_ROWS = 16, /* rows of a table that are chosen by hashes of
                                 quotients */
    QUOTIENT_RUN = 256,       /* rows of a table that lie in one part */
    QUOTIENT_LEAST_RUNS = 16 * QUOTIENT_RUN /* rows of a table that is made of
                                               whole runs */
};

#define QUOTIENT_PARAMS                                                        \
    [QUOTIENT_R] = {"r", 1,    QUOTIENT_MAX_R,         2,                      \
                    1,   NULL, "bits of the remainder"},                       \
    [QUOTIENT_RP] =                                                            \
        {"rp",                                                                 \
         0,                                                                    \
         QUOTIENT_MAX_R,                                                       \
         1,                                                                    \
         1,                                                                    \
         NULL,                                                                 \
         "bits of it, at most r, stored beside the count of ones"},            \
    [QUOTIENT_K] = {"k", 1, FR_LONG_ROW, 4, 1, NULL, "slots per row"}

/* ---- Theory ----------------------------------------------------------- */

/*
 * Returns S, the number of equally likely signatures that would be equal as
 * often as the real ones, which are not equally likely.  Two remainders share a
 * signature if their first r' bits are equal and the rest have equally many
 * ones.
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

    /* The paper claims an error rate but gives no formula.  Our formula takes
       the tables as independent, which hashes of one quotient are not. */
    if (w->published ||
        (s->m > 1 && (s->rows_by == BY_QUOTIENT || s->store != STORE_ALL)))
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
    s->shift = (uint8_t)fr_slot_width(s->r);
    s->seed = goal->seed;
    s->by_record = 1;
    s->rows.k = fr_u32(goal->param[QUOTIENT_K]);
    s->rows.width = quotient_width(s);
    fr_rows_fit(&s->rows, goal->bytes - sizeof *s, s->m);
    s->table = s->rows.rows / s->m;
    if (s->m > 1 && s->rows_by == BY_HASH && s->table >= QUOTIENT_LEAST_RUNS) {
        s->table -= s->table % QUOTIENT_RUN;
        s->rows.rows = s->table * s->m;
    }
    return sizeof *s + fr_rows_bytes(&s->rows);
}

static bool quotient_check(const void *state, size_t bytes)
{
    const struct quotient *s = state;
    uint64_t least = s->rows_by == BY_QUOTIENT ? QUOTIENT_LEAST_ROWS : 1;

    return s->r >= 1 && s->r <= QUOTIENT_MAX_R && s->rp <= s->r && s->m >= 1 &&
           s->m <= QUOTIENT_MAX_M && s->shift == fr_slot_width(s->r) &&
           s->by_record == 1 && s->rows_by <= BY_QUOTIENT &&
           s->store <= STORE_EACH &&
           fr_rows_check_most(&s->rows, bytes - sizeof *s, FR_LONG_ROW) &&
           s->rows.width == quotient_width(s) && s->table >= least &&
           s->rows.rows / s->m == s->table && s->rows.rows % s->m == 0;
}

/* Checks a head of freshet 0.1: whole hashes, all tables, rows of 64 at
   most. */
static bool quotient_check_older(const void *state, size_t bytes)
{
    struct quotient s = *(const struct quotient *)state;

    if (s.by_record || s.rows_by || s.store || s.rows.k > FR_ROW_SLOTS)
        return false;
    s.by_record = 1;
    return quotient_check(&s, bytes);
}

/* ---- The filter ------------------------------------------------------- */

/* Returns whether a key's rows lie in the same run of each table.  The number
   of rows of an older filter may be a multiple of runs by chance. */
static bool quotient_has_runs(const struct quotient *s)
{
    return s->m > 1 && s->rows_by == BY_HASH && s->by_record &&
           s->table % QUOTIENT_RUN == 0;
}

/* Returns row h_i of the quotient, as printed, or row i by the key's hash. */
static uint64_t quotient_row(const struct quotient *s, freshet_hash key,
                             uint32_t i)
{
    uint64_t hash = fr_nth(key, i);

    if (quotient_has_runs(s))
        return i * s->table +
               fr_reduce(key.lo, s->table / QUOTIENT_RUN) * QUOTIENT_RUN +
               fr_reduce(hash, QUOTIENT_RUN);
    if (s->rows_by == BY_QUOTIENT)
        hash = fr_random_at(fr_reduce(key.lo, s->table), i);
    return i * s->table + fr_reduce(hash, s->table);
}

static uint64_t quotient_signature(const struct quotient *s, freshet_hash key)
{
    uint64_t remainder = key.hi & fr_slot_max(s->r);
    uint64_t ones = (uint64_t)__builtin_popcountll(remainder);

    return (remainder >> (s->r - s->rp) << s->shift | ones) + 1;
}

/* Returns the first table that holds the signature, or m. */
static uint32_t quotient_find(const struct quotient *s, freshet_hash key,
                              uint64_t signature)
{
    for (uint32_t i = 0; i < s->m; i++)
        if (fr_row_find(&s->rows, s->cell, quotient_row(s, key, i), signature) <
            s->rows.k)
            return i;
    return s->m;
}

static uint8_t quotient_probe(const struct quotient *s, freshet_hash key)
{
    return quotient_find(s, key, quotient_signature(s, key)) < s->m
               ? FRESHET_SEEN
               : FRESHET_NEW;
}

/* Stores a signature in an empty slot of table i, or over a random one. */
static void quotient_put(struct quotient *s, struct quotient_live *live,
                         freshet_hash key, uint64_t signature, uint32_t i)
{
    uint64_t draw = live->records * QUOTIENT_MAX_M + i;

    fr_row_put(&s->rows, s->cell, quotient_row(s, key, i), signature, s->seed,
               s->by_record ? &draw : &live->records);
}

/* Stores the signature in every table that lacks it. */
static void quotient_put_each(struct quotient *s, struct quotient_live *live,
                              freshet_hash key, uint64_t signature)
{
    for (uint32_t i = 0; i < s->m; i++)
        if (fr_row_find(&s->rows, s->cell, quotient_row(s, key, i),
                        signature) == s->rows.k)
            quotient_put(s, live, key, signature, i);
}

/*
 * Of the searches that find a signature one in 64 is sampled, fewer when the
 * records have become many: each time that their number doubles, less than 2^25
 * compared slots are added, so that the sum stays below 2^31.  Whether a record
 * is sampled depends on its number alone, so that the sums of parts add up.
 */
static bool quotient_is_sampled(const struct quotient *s, uint64_t record)
{
    unsigned bits = fr_slot_width(record) + fr_slot_width(s->m * s->rows.k);

    return fr_mix(record) << (bits > 32 ? 90 - bits : 58) == 0;
}

/* Counts a search and the slots that it compared, which are all slots of the
   tables that lack the signature. */
static void quotient_count_search(const struct quotient *s,
                                  struct quotient_live *live, freshet_hash key,
                                  uint64_t signature, uint32_t in)
{
    uint64_t compared =
        in * s->rows.k + 1 +
        fr_row_find(&s->rows, s->cell, quotient_row(s, key, in), signature);

    live->sample += compared << 32 | 1;
}

/* Stores the signature where Algorithm 1 or section 4.1 or 5 say; in is the
   first table that holds it, or m. */
static void quotient_store(struct quotient *s, struct quotient_live *live,
                           freshet_hash key, uint64_t signature, uint32_t in)
{
    if (s->store == STORE_EACH)
        quotient_put_each(s, live, key, signature);
    else if (in == s->m || s->store == STORE_ALONG)
        for (uint32_t i = 0; i < in; i++)
            quotient_put(s, live, key, signature, i);
}

static uint8_t quotient_step(struct quotient *s, struct quotient_live *live,
                             freshet_hash key)
{
    uint64_t signature = quotient_signature(s, key);
    uint32_t in = quotient_find(s, key, signature);

    if (in < s->m && s->by_record && quotient_is_sampled(s, live->records))
        quotient_count_search(s, live, key, signature, in);
    quotient_store(s, live, key, signature, in);
    live->records += s->by_record;
    return in < s->m ? FRESHET_SEEN : FRESHET_NEW;
}

static void quotient_touch(const struct quotient *s, freshet_hash key,
                           uint64_t ahead)
{
    (void)ahead;
    for (uint32_t i = 0; i < s->m; i++)
        fr_row_prefetch(&s->rows, s->cell, quotient_row(s, key, i));
}

FR_BY_RECORD(quotient)

static void quotient_sample(const void *state, uint64_t step,
                            freshet_info *info)
{
    const struct quotient *s = state;
    uint32_t sampled = (uint32_t)s->live.sample;
    double fill;

    info->slots = s->rows.rows * s->rows.k;
    info->used = fr_rows_used(&s->rows, s->cell, step);
    fill = (double)info->used / (double)s->rows.rows / quotient_kinds(s);
    info->false_drop = 1 - pow(1 - fmin(1, fill), s->m);
    if (sampled)
        info->search = (double)(s->live.sample >> 32) / sampled;
}

static void quotient_inspect(const void *state, freshet_info *info)
{
    quotient_sample(state, 1, info);
}

/* ---- Parts ------------------------------------------------------------ */

/* Rows by hashes of the quotient lie anywhere.  Few rows without runs are one
   group. */
static uint64_t quotient_groups(const void *state)
{
    const struct quotient *s = state;

    if (s->m == 1)
        return fr_rows_spans(&s->rows);
    if (s->rows_by == BY_QUOTIENT)
        return 0;
    return quotient_has_runs(s) ? s->table / QUOTIENT_RUN : 1;
}

static uint64_t quotient_group(const struct quotient *s, freshet_hash key,
                               uint64_t groups)
{
    if (s->m == 1)
        return quotient_row(s, key, 0) >> fr_rows_span(&s->rows);
    return fr_reduce(key.lo, groups);
}

static void quotient_add(struct quotient_live *all,
                         const struct quotient_live *part)
{
    all->sample += part->sample;
}

FR_SPLIT_BY_RECORD(quotient)

static const struct fr_split quotient_split = {FR_SPLIT_VERBS(quotient)};

/* The remaining fields of a struct fr_algo of this family.  Each file sets its
   id, parameters, plan and check. */
#define QUOTIENT_VERBS                                                         \
    .head = offsetof(struct quotient, live), .base = sizeof(struct quotient),  \
    .offer = quotient_offer, .query = quotient_query,                          \
    .inspect = quotient_inspect, .sample = quotient_sample,                    \
    .expect = quotient_expect

#endif
