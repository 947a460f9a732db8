/*
 * qht.c - quotient hash table
 *
 * R. Geraud, M. Lombard-Platet and D. Naccache, "Quotient hash tables:
 * efficiently detecting duplicates in streaming data", arXiv:1901.04358.
 * Its abstract and the authors' code are known to us; the formulas here are
 * our own.
 *
 * R rows of k fingerprints of s bits.  A key is seen when its row holds its
 * fingerprint; otherwise that is put into an empty slot, or a full row gives
 * one up.  Two choices make the four published variants:
 *
 *     evict=   duplicates=skip   duplicates=insert
 *     random   QHT               QHTD    a slot is picked at random
 *     queue    QQHT              QQHTD   the oldest of the row goes
 *
 * With "insert" a key that was seen goes in again, so that it stays while it
 * keeps coming, at the price of other keys' slots.
 *
 * A random slot is lost at the same rate whatever k is, and every slot
 * compared adds false drops, so k = 1 is best there.  A queue keeps a key for
 * k arrivals in its row: the larger k, the sharper the moment of forgetting,
 * so that its automatic k is as many as a cache line holds.
 *
 * The random slot is drawn by the number of the record, so that threads can
 * share a filter.  Filters that were saved by freshet 0.1 count their draws
 * instead and have an id of their own.
 *
 * Departure: fingerprints may have up to 57 bits, not 8.
 */
#include <math.h>

#include "algo.h"
#include "parts/by_record.h"
#include "parts/fingerprint_rows.h"
#include "theory/fingerprint_rows_theory.h"
#include "theory/reach.h"

struct qht_live {
    uint64_t records; /* so far; random draws so far if by_record is 0 */
};

struct qht {
    struct fr_rows rows; /* their width is the paper's s */
    uint64_t seed;
    uint8_t evict;
    uint8_t by_record; /* 0: draws are counted, as freshet 0.1 did */
    uint8_t unused[2];
    uint32_t duplicates;
    struct qht_live live; /* live from here */
    uint64_t pad[3];
    uint64_t cell[];
};
_Static_assert(sizeof(struct qht) == 64, "part of the format");

enum { RANDOM, QUEUE };
enum { SKIP, INSERT };
enum { K, S, EVICT, DUPLICATES, END };
static const freshet_parameter qht_params[] = {
    [K] = {"k", 0, FR_ROW_SLOTS, 0, 1, NULL,
           "slots per row; 0: the best number"},
    [S] = {"s", 0, FR_SLOT_BITS, 0, 1, NULL,
           "bits per fingerprint; 0: from the rate"},
    [EVICT] = {"evict", 0, 1, 0, 1, "random|queue",
               "which slot of a full row is replaced"},
    [DUPLICATES] = {"duplicates", 0, 1, 0, 1, "skip|insert",
                    "whether a repeat is stored again"},
    [END] = {0},
};

/* ---- Theory ----------------------------------------------------------- */

/* Returns the false-drop rate of a full row of k fingerprints, some of which
   may be equal. */
static double full_false_drop(double k, double kinds)
{
    return -expm1(k * log1p(-1 / kinds));
}

/* With "skip" all fingerprints of a row differ, and the rate is k / S. */
static double narrowest(double k, double rate)
{
    double s = 2; /* one bit has only one value that is not zero */

    while (s < FR_SLOT_BITS && k / (exp2(s) - 1) > rate)
        s++;
    return s;
}

static double best_k(double s, double rate)
{
    double k = FR_ROW_SLOTS;

    while (k > 1 && k * (s > 0 ? s : narrowest(k, rate)) > 512)
        k--;
    return k;
}

/* With "insert" a row holds the last k records that came to it, or all if fewer
   came.  On a finite stream some of them have the same key. */
static double insert_held(const struct fr_rowlaw *l, double t)
{
    struct fr_rowlaw all = {l->rows, l->k, 0x1p57, 1, 0};
    double held = fr_rowlaw_held(&all, t);
    double universe = l->universe / l->rows; /* an average, so not a whole
                                                number */

    return universe > 0 ? -universe * expm1(-held / universe) : held;
}

static double insert_false_drop(const void *law, double t)
{
    const struct fr_rowlaw *l = law;

    return full_false_drop(insert_held(l, t), l->kinds);
}

/* On a uniform stream all keys met are equivalent: see
   fr_rowlaw_finite_pass(). */
static double insert_finite_pass(const void *law, double t, double gap)
{
    const struct fr_rowlaw *l = law;
    double met = fr_rowlaw_distinct(l, t) / l->rows;

    (void)gap;
    return fmax(0, 1 - insert_held(l, t) / met);
}

/* Every record overwrites a random slot. */
static double random_insert_pass(const void *law, double t, double gap)
{
    const struct fr_rowlaw *l = law;

    return (1 - insert_false_drop(l, t)) * -expm1(-gap / (l->k * l->rows));
}

/* k arrivals push a key out of its row. */
static double queue_insert_pass(const void *law, double t, double gap)
{
    const struct fr_rowlaw *l = law;

    return (1 - insert_false_drop(l, t)) *
           fr_poisson_tail(gap / l->rows, (unsigned)l->k);
}

/* Keys that are falsely dropped push nothing.  The key that they were mistaken
   for, of any age, stands in for them until it is evicted. */
static double queue_skip_pass(const void *law, double t, double gap)
{
    const struct fr_rowlaw *l = law;
    double in = fmin(1, l->k / l->kinds), out = 1 - in;
    double arrivals = out * gap / l->rows, stand_in = 0;

    (void)t;
    for (unsigned j = 1; j <= (unsigned)l->k; j++)
        stand_in += fr_poisson_tail(arrivals, j) / l->k;
    return out *
           (out * fr_poisson_tail(arrivals, (unsigned)l->k) + in * stand_in);
}

static struct fr_course course_of(const struct qht *s, struct fr_rowlaw *l)
{
    struct fr_course c = {l, fr_rowlaw_false_drop, fr_rowlaw_endless_pass};

    if (s->duplicates == INSERT) {
        c.false_drop = insert_false_drop;
        c.false_pass =
            s->evict == QUEUE ? queue_insert_pass : random_insert_pass;
    } else if (s->evict == QUEUE) {
        c.false_pass = queue_skip_pass;
    }
    return c;
}

static void qht_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    const struct qht *s = state;
    struct fr_rowlaw l = {.rows = (double)s->rows.rows,
                          .k = s->rows.k,
                          .kinds = (double)fr_slot_max(s->rows.width),
                          .tables = 1};
    struct fr_course course = course_of(s, &l);

    if (w->published) /* the paper's own formulas were not available */
        return;
    rates->theory = "rows of k fingerprints: our own, Poisson arrivals";
    rates->reach = fr_reach(&course);
    rates->false_drop = course.false_drop(&l, (double)INFINITY);
    rates->false_pass = course.false_pass(&l, (double)INFINITY, (double)w->gap);
    if (!w->distinct)
        return;
    l.universe = w->records ? (double)w->distinct : 0;
    course.false_pass =
        s->duplicates == INSERT ? insert_finite_pass : fr_rowlaw_finite_pass;
    fr_average(&course, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

static size_t qht_plan(void *state, const struct fr_goal *goal)
{
    struct qht *s = state;
    double *param = goal->param;

    s->evict = (uint8_t)param[EVICT];
    s->by_record = 1;
    s->duplicates = fr_u32(param[DUPLICATES]);
    s->seed = goal->seed;
    if (param[K] == 0)
        param[K] = s->evict == QUEUE ? best_k(param[S], goal->false_drop) : 1;
    if (param[S] == 0)
        param[S] = narrowest(param[K], goal->false_drop);
    s->rows.k = fr_u32(param[K]);
    s->rows.width = fr_u32(param[S]);
    fr_rows_fit(&s->rows, goal->bytes - sizeof *s, 1);
    return sizeof *s + fr_rows_bytes(&s->rows);
}

static bool qht_check(const void *state, size_t bytes)
{
    const struct qht *s = state;

    return s->evict <= QUEUE && s->by_record == 1 && !s->unused[0] &&
           !s->unused[1] && s->duplicates <= INSERT && s->rows.width >= 2 &&
           fr_rows_check(&s->rows, bytes - sizeof *s);
}

/* Checks a head of freshet 0.1. */
static bool qht_check_older(const void *state, size_t bytes)
{
    struct qht s;

    memcpy(&s, state, sizeof s);
    if (s.by_record)
        return false;
    s.by_record = 1;
    return qht_check(&s, bytes);
}

/* ---- The filter ------------------------------------------------------- */

static uint64_t row_of(const struct qht *s, freshet_hash key)
{
    return fr_reduce(key.lo, s->rows.rows);
}

/* Returns any value but zero, which marks an empty slot. */
static uint64_t print_of(const struct qht *s, freshet_hash key)
{
    return fr_reduce(key.hi, fr_slot_max(s->rows.width)) + 1;
}

static uint8_t qht_probe(const struct qht *s, freshet_hash key)
{
    return fr_row_find(&s->rows, s->cell, row_of(s, key), print_of(s, key)) <
                   s->rows.k
               ? FRESHET_SEEN
               : FRESHET_NEW;
}

static uint8_t qht_step(struct qht *s, struct qht_live *live, freshet_hash key)
{
    uint8_t seen = qht_probe(s, key);
    uint64_t draw = live->records;

    live->records += s->by_record;
    if (seen == FRESHET_SEEN && s->duplicates == SKIP)
        return seen;
    if (s->evict == QUEUE)
        fr_row_push(&s->rows, s->cell, row_of(s, key), print_of(s, key));
    else
        fr_row_put(&s->rows, s->cell, row_of(s, key), print_of(s, key), s->seed,
                   s->by_record ? &draw : &live->records);
    return seen;
}

static void qht_touch(const struct qht *s, freshet_hash key, uint64_t ahead)
{
    (void)ahead;
    fr_row_prefetch(&s->rows, s->cell, row_of(s, key));
}

FR_BY_RECORD(qht)

static size_t qht_forget(void *state, const freshet_hash *keys, size_t n)
{
    struct qht *s = state;
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        found += fr_row_remove(&s->rows, s->cell, row_of(s, keys[i]),
                               print_of(s, keys[i])) > 0;
    return found;
}

static void qht_sample(const void *state, uint64_t step, freshet_info *info)
{
    const struct qht *s = state;

    info->slots = s->rows.rows * s->rows.k;
    info->used = fr_rows_used(&s->rows, s->cell, step);
    info->false_drop =
        full_false_drop((double)info->used / (double)s->rows.rows,
                        (double)fr_slot_max(s->rows.width));
}

static void qht_inspect(const void *state, freshet_info *info)
{
    qht_sample(state, 1, info);
}

/* ---- Parts ------------------------------------------------------------ */

static uint64_t qht_groups(const void *state)
{
    return fr_rows_spans(&((const struct qht *)state)->rows);
}

static uint64_t qht_group(const struct qht *s, freshet_hash key,
                          uint64_t groups)
{
    (void)groups;
    return row_of(s, key) >> fr_rows_span(&s->rows);
}

static void qht_add(struct qht_live *all, const struct qht_live *part)
{
    (void)all, (void)part;
}

FR_SPLIT_BY_RECORD(qht)

static size_t qht_forget_part(void *state, struct fr_part *part,
                              const freshet_hash *keys, const uint32_t *at,
                              size_t n)
{
    (void)part, (void)at;
    return qht_forget(state, keys, n);
}

static const struct fr_split qht_split = {
    FR_SPLIT_VERBS(qht),
    .forget = qht_forget_part,
};

#define QHT_ABOUT(abilities)                                                   \
    {                                                                          \
        .name = "qht", .title = "quotient hash table",                         \
        .paper = "Geraud, Lombard-Platet and Naccache, 2019",                  \
        .can = FRESHET_CAN_FORGET | FRESHET_CAN_PROMISE | (abilities)          \
    }

#define QHT_VERBS                                                              \
    .params = qht_params, .head = offsetof(struct qht, live),                  \
    .base = sizeof(struct qht), .plan = qht_plan, .offer = qht_offer,          \
    .query = qht_query, .inspect = qht_inspect, .sample = qht_sample,          \
    .expect = qht_expect, .forget = qht_forget

const struct fr_algo fr_qht = {
    .about = QHT_ABOUT(FRESHET_CAN_SPLIT),
    .id = FR_ID('q', 'h', 't', '2'),
    .check = qht_check,
    .split = &qht_split,
    QHT_VERBS,
};

/* Filters that freshet 0.1 saved. */
const struct fr_algo fr_qht_older = {
    .about = QHT_ABOUT(0),
    .id = FR_ID('q', 'h', 't', '1'),
    .check = qht_check_older,
    QHT_VERBS,
};
