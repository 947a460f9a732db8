/*
 * set.c - a Bloom filter in cache lines that never forgets
 *
 * F. Putze, P. Sanders and J. Singler, "Cache-, hash- and space-efficient Bloom
 * filters", 2007: a key's k bits all lie in one line of 512 bits, so that a
 * search costs one cache miss whatever k is.  Departure: the bits are spread
 * over the line's words in turn (set/set_kernel.h), for speed.
 *
 * It is made for a stream whose number of distinct keys is known and fits: no
 * key passes twice, and below about 15 bits per key no filter that forgets has
 * fewer errors.  Beyond its planned number of keys it drops more and more new
 * keys, so it counts its keys and reports when they exceed the plan.
 */
#include <math.h>

#include "algo.h"
#include "cpu.h"
#include "parts/batched.h"
#include "parts/bits.h"
#include "parts/cells.h"
#include "parts/sample.h"
#include "set/set.h"
#include "theory/theory.h"

enum { K, END };
static const freshet_parameter set_params[] = {
    [K] = {"k", 0, FR_SET_MAX_K, 0, 1, NULL,
           "bits per key; 0: from rate and expect"},
    [END] = {0},
};

/* ---- Theory ----------------------------------------------------------- */

/* Returns the logarithm of the chance that a key leaves a given bit of its line
   unset. */
static double log_unset(double k)
{
    return log1p(-fmin(k, 8) / FR_SET_LINE) +
           log1p(-fmax(k - 8, 0) / FR_SET_LINE);
}

/*
 * Lines receive a Poisson number of keys each.  A key sets one bit in k of a
 * line's eight words; beyond eight, a second one in k - 8 of them.  Where many
 * keys come to a line, two terms to each standard deviation are enough: the sum
 * over every step-th term of a smooth bell is that over all of them.
 */
static double false_drop(double load, double k)
{
    double spread = 7 * sqrt(load) + 12, sum = 0; /* leaves out a part of
                                                     1e-12 */
    double step = fmax(1, floor(sqrt(load) / 2));
    double unset = log_unset(k), log_load = log(load);

    if (load > 50.0 * FR_SET_LINE) /* fewer than one bit in e^50 is unset */
        return 1;
    for (double n = fmax(0, floor(load - spread)); n < load + spread; n += step)
        sum += exp(n * log_load - load - fr_log_factorial(n)) *
               pow(-expm1(n * unset), k);
    return load > 0 ? fmin(1, sum * step) : 0;
}

/* Returns the load at which false drops reach the wanted rate. */
static double load_for(double wanted, double k)
{
    double low = 0, high = FR_SET_LINE;

    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;

        if (false_drop(middle, k) > wanted)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Returns the k with the fewest false drops if the load is known, otherwise the
   k with which the most keys fit. */
static double best_k(double load, double wanted)
{
    double best = 1, least = (double)INFINITY;

    for (double k = 1; k <= FR_SET_MAX_K; k++) {
        double cost = load > 0 ? false_drop(load, k) : -load_for(wanted, k);

        if (cost < least) {
            least = cost;
            best = k;
        }
    }
    return best;
}

struct finite {
    const struct set *set;
    double universe;
};

static double finite_false_drop(const void *filter, double t)
{
    const struct finite *f = filter;
    double keys = fr_distinct(t, f->universe);

    return false_drop(keys / (double)f->set->lines, f->set->k);
}

static void set_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    struct finite finite = {state, w->records ? (double)w->distinct : 0};
    struct fr_course course = {&finite, finite_false_drop, NULL};

    rates->theory = "Putze, Sanders and Singler, section 3";
    rates->reach = (double)INFINITY;
    rates->drop_bound = 1; /* endless stream: in the end every bit is set */
    if (w->distinct) {
        rates->drop_bound =
            false_drop((double)w->distinct / (double)finite.set->lines,
                       finite.set->k);
        fr_average(&course, w, rates);
        return;
    }
    rates->false_drop = 1;
    rates->false_pass = 0;
}

/* ---- Layout ----------------------------------------------------------- */

static size_t set_plan(void *state, const struct fr_goal *goal)
{
    struct set *s = state;
    double *param = goal->param;

    s->lines = (goal->bytes - sizeof *s) / 64;
    if (param[K] == 0)
        param[K] =
            best_k((double)goal->expect / (double)s->lines, goal->false_drop);
    s->k = fr_u32(param[K]);
    s->capacity = goal->expect;
    if (s->capacity == 0)
        s->capacity =
            fr_u64(load_for(goal->false_drop, s->k) * (double)s->lines);
    return sizeof *s + s->lines * 64;
}

static bool set_check(const void *state, size_t bytes)
{
    const struct set *s = state;

    return s->lines == (bytes - sizeof *s) / 64 &&
           (bytes - sizeof *s) % 64 == 0 && s->k >= 1 && s->k <= FR_SET_MAX_K &&
           !s->unused && !s->pad[0] && !s->pad[1];
}

/* ---- The filter ------------------------------------------------------- */

const struct fr_set_path *const *fr_set_paths(void)
{
#if defined(__x86_64__)
    static const struct fr_set_path *const all[] = {&fr_set_avx512,
                                                    &fr_set_avx2,
                                                    &fr_set_portable, NULL};

    return all + (fr_cpu_has_avx512() ? 0 : fr_cpu_has_avx2() ? 1 : 2);
#else
    static const struct fr_set_path *const all[] = {&fr_set_portable, NULL};

    return all;
#endif
}

static size_t set_offer(void *state, const freshet_hash *keys, size_t n,
                        uint8_t *seen)
{
    struct set *s = state;
    size_t fresh = fr_set_paths()[0]->offer(s, keys, n, seen);

    s->stored += fresh;
    return fresh;
}

static size_t set_query(const void *state, const freshet_hash *keys, size_t n,
                        uint8_t *seen)
{
    return fr_set_paths()[0]->query(state, keys, n, seen);
}

static void set_sample(const void *state, uint64_t step, freshet_info *info)
{
    const struct set *s = state;
    uint64_t lines = 0;
    double drop = 0;

    for (uint64_t i = 0; i < s->lines; i = fr_sample_next(i, step)) {
        uint64_t ones = fr_count_ones(s->word + i * 8, 8);

        info->used += ones;
        drop += pow((double)ones / FR_SET_LINE, s->k);
        lines++;
    }
    if (step > 1)
        info->used =
            fr_u64((double)info->used / (double)lines * (double)s->lines);
    info->slots = s->lines * FR_SET_LINE;
    info->false_drop = drop / (double)lines;
    info->false_pass = 0;
    info->forgotten = 0;
    info->over_plan = s->stored > s->capacity;
}

static void set_inspect(const void *state, freshet_info *info)
{
    set_sample(state, 1, info);
}

/* Returns the number of keys in a union, estimated from the bits set: at most
   the sum of both, at least the larger of both. */
static uint64_t merged_keys(const struct set *s, uint64_t a, uint64_t b)
{
    double ones = (double)fr_count_ones(s->word, s->lines * 8);
    double zeros = 1 - ones / ((double)s->lines * FR_SET_LINE);
    uint64_t told = fr_u64((double)s->lines * log(zeros) / log_unset(s->k));
    uint64_t least = a > b ? a : b;

    told = told < a + b ? told : a + b;
    return told > least ? told : least;
}

static void set_merge(void *state, const void *other)
{
    struct set *s = state;
    const struct set *o = other;

    for (uint64_t i = 0; i < s->lines * 8; i++)
        s->word[i] |= o->word[i];
    s->stored = merged_keys(s, s->stored, o->stored);
}

/* ---- Parts ------------------------------------------------------------ */

/* Each line is a group of its own. */
static uint64_t set_groups(const void *state)
{
    return ((const struct set *)state)->lines;
}

static uint64_t set_group(const struct set *s, freshet_hash key,
                          uint64_t groups)
{
    (void)s;
    return fr_reduce(key.hi, groups);
}

FR_ROUTE(set)

/* The only live scalar of a part is its count of stored keys. */
static void set_begin(const void *state, struct fr_part *part)
{
    (void)state;
    part->live[0] = 0;
}

static size_t set_offer_part(void *state, struct fr_part *part,
                             const freshet_hash *keys, const uint32_t *at,
                             size_t n, uint8_t *seen)
{
    size_t fresh = fr_set_paths()[0]->offer(state, keys, n, seen);

    (void)at;
    part->live[0] += fresh;
    return fresh;
}

static size_t set_query_part(void *state, struct fr_part *part,
                             const freshet_hash *keys, const uint32_t *at,
                             size_t n, uint8_t *seen)
{
    (void)part, (void)at;
    return set_query(state, keys, n, seen);
}

static void set_join(void *state, struct fr_part *part, uint64_t records)
{
    struct set *s = state;

    (void)records;
    s->stored += part->live[0];
}

static const struct fr_split set_split = {
    .groups = set_groups,
    .route = set_route,
    .is_ordered = true,
    .begin = set_begin,
    .offer = set_offer_part,
    .query = set_query_part,
    .join = set_join,
};

const struct fr_algo fr_set = {
    .about = {.name = "set",
              .title = "Bloom filter in cache lines, never forgets",
              .paper = "Putze, Sanders and Singler, WEA 2007",
              .can =
                  FRESHET_CAN_MERGE | FRESHET_CAN_PROMISE | FRESHET_CAN_SPLIT},
    .id = FR_ID('s', 'e', 't', '1'),
    .params = set_params,
    .head = offsetof(struct set, stored),
    .base = sizeof(struct set),
    .plan = set_plan,
    .check = set_check,
    .offer = set_offer,
    .query = set_query,
    .inspect = set_inspect,
    .sample = set_sample,
    .expect = set_expect,
    .merge = set_merge,
    .split = &set_split,
};
