/*
 * apbf.c - age-partitioned Bloom filter
 *
 * A. Shtul, C. Baquero and P. S. Almeida, "Age-partitioned Bloom filters",
 * arXiv:2001.03147, 2020.
 *
 * k + l slices of m bits form a ring.  Each slice has a hash of its own, so
 * that a key has one bit in each.  A record sets its bit in the k youngest
 * slices.  After each generation of records the ring turns: the oldest slice is
 * cleared and becomes the youngest.  A key's k bits thus stay neighbours and
 * grow old together, and a key is seen when k slices in a row have its bit.
 *
 *     slice   0 1 .. k-1   k .. k+l-1
 *             being set    ageing       cleared and back to 0
 *
 * A repeat within l generations is always seen: that is the window, counted in
 * records, repeats included.  After the window the chance to be seen falls by
 * about half with each generation, as the key's slices are cleared.
 *
 * add=new stores only keys that are called new.  Slices then fill more slowly,
 * but a falsely dropped key is not stored and passes later, in the window.
 *
 * A generation is at least one record, so a window shorter than l records
 * becomes l records.
 */
#include <math.h>
#include <string.h>

#include "parts/bloom_bits.h"
#include "theory/theory.h"

enum { MAX_K = 64, MAX_L = 128, MAX_SLICES = MAX_K + MAX_L };

struct apbf {
    uint64_t m;    /* bits in a slice */
    uint64_t span; /* records in a generation */
    uint32_t k, l, once, unused;
    uint64_t count; /* live from here: records in this generation */
    uint32_t young; /* place in memory of the youngest slice */
    uint32_t pad[5];
    uint64_t bit[];
};
_Static_assert(sizeof(struct apbf) == 64, "part of the format");

enum { K, L, ADD, END };
static const freshet_parameter apbf_params[] = {
    [K] = {"k", 0, MAX_K, 0, 1, NULL, "slices a key is set in; 0: by rate"},
    [L] = {"l", 0, MAX_L, 0, 1, NULL, "generations in the window; 0: by rate"},
    [ADD] = FR_BLOOM_ADD,
    [END] = {0},
};

/* ---- Theory ----------------------------------------------------------- */

/*
 * Returns the chance that a new key finds k set bits in a row, from the fill of
 * each slice: the sum over the places where the first such row ends.  An unset
 * bit precedes that row, and no row precedes that bit.  The paper's recurrence
 * over pairs of slice and row has the same result.
 */
static double row_chance(const double *fill, unsigned k, unsigned slices)
{
    double none[MAX_SLICES + 1]; /* chance that the first i slices have no
                                    row */
    double any = 0;

    for (unsigned i = 0; i < k; i++)
        none[i] = 1;
    for (unsigned i = k; i <= slices; i++) {
        double row = i > k ? none[i - k - 1] * (1 - fill[i - k - 1]) : 1;

        for (unsigned j = i - k; j < i; j++)
            row *= fill[j];
        any += row;
        none[i] = 1 - any;
    }
    return fmin(any, 1);
}

/* Returns the same chance at the end of a generation; load is k * span / m. */
static double worst_drop(unsigned k, unsigned l, double load)
{
    double fill[MAX_SLICES];

    for (unsigned i = 0; i < k + l; i++)
        fill[i] = -expm1(-load * (i < k ? i + 1 : k) / k);
    return row_chance(fill, k, k + l);
}

/* A slice receives bits for k generations, beginning when it is youngest. */
static double apbf_drop(const struct fr_window *w, double t)
{
    double now = t / w->period, turns = floor(now), fill[MAX_SLICES];
    unsigned k = fr_u32(w->k), l = fr_u32(w->full);

    for (unsigned i = 0; i < k + l; i++) {
        double from = turns - i, to = fmin(now, from + k);
        double set = fmax(0, to - fmax(0, from)) * w->period;

        fill[i] = fr_bloom_fill(w->m, 1, fr_window_keys(w, set));
    }
    return row_chance(fill, k, k + l);
}

static void apbf_expect(const void *state, const freshet_workload *w,
                        freshet_rates *rates)
{
    const struct apbf *s = state;
    double m = (double)s->m, span = (double)s->span;
    double middle = span * fmin(s->k, s->l + 0.5); /* records in slice l */
    double universe = w->records ? (double)w->distinct : 0;
    struct fr_window law = {.m = m,
                            .k = s->k,
                            .period = span,
                            .full = s->l,
                            .settle = s->k + s->l - 1,
                            .tail =
                                fr_bloom_fill(m, 1,
                                              fr_distinct(middle, universe)),
                            .once = s->once,
                            .drop = apbf_drop};

    rates->theory = "Shtul, Baquero and Almeida, recurrence over slices";
    fr_window_expect(&law, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

/* Slices are best half full when they no longer receive bits. */
static const double half_full = 0.69314718055994530942;

/* Returns the largest number of generations for which k slices keep to a rate,
   or 0 if there is none. */
static unsigned longest(unsigned k, double rate)
{
    unsigned low = 0, high = MAX_L;

    while (low < high) {
        unsigned l = (low + high + 1) / 2;

        if (worst_drop(k, l, half_full) <= rate)
            low = l;
        else
            high = l - 1;
    }
    return low;
}

static unsigned fewest(unsigned l, double rate)
{
    unsigned k = 1;

    while (k < MAX_K && worst_drop(k, l, half_full) > rate)
        k++;
    return k;
}

/* Returns the bits per record of the window, up to a constant factor. */
static double price(unsigned k, unsigned l)
{
    return l ? (double)(k + l) * k / l : (double)INFINITY;
}

/* More slices need fewer bits, by ever smaller steps, and more time: this
   chooses the fewest slices that are within a sixteenth of the best. */
static void best_pair(unsigned *k, unsigned *l, double rate)
{
    unsigned most[MAX_K + 1] = {0}, from = fewest(1, rate), to = from;
    double least = price(from, 1);

    do {
        most[to] = longest(to, rate);
        least = fmin(least, price(to, most[to]));
    } while (most[to] < MAX_L && ++to <= MAX_K);
    *k = from;
    while (*k < MAX_K && price(*k, most[*k]) > least * 17 / 16)
        ++*k;
    *l = most[*k] ? most[*k] : 1;
}

static uint64_t slice_words(const struct fr_goal *goal, unsigned slices)
{
    /* There is a slice at least.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    uint64_t words = (goal->bytes - sizeof(struct apbf)) / 8 / slices;

    return words ? words : 1;
}

static uint64_t span_for(uint64_t window, unsigned l)
{
    return window / l + (window % l != 0);
}

/* A window too long for the wanted rate gets the best possible rate. */
static void choose_pair(unsigned *k, unsigned *l, const struct fr_goal *goal)
{
    double rate = goal->false_drop, bits, load;

    do {
        best_pair(k, l, rate);
        bits = (double)slice_words(goal, *k + *l) * 64;
        load = (double)span_for(goal->window, *l) * *k / bits;
        rate *= 2;
    } while (load > half_full && rate < 0.5);
}

/* Returns the load at which the rate is met. */
static double full_load(unsigned k, unsigned l, double rate)
{
    double low = 0, high = 64;

    for (int i = 0; i < 50; i++) {
        double load = (low + high) / 2;

        if (worst_drop(k, l, load) <= rate)
            low = load;
        else
            high = load;
    }
    return low;
}

static size_t apbf_plan(void *state, const struct fr_goal *goal)
{
    struct apbf *s = state;
    double *param = goal->param;
    unsigned k = fr_u32(param[K]), l = fr_u32(param[L]);

    if (!k && !l)
        choose_pair(&k, &l, goal);
    if (!k)
        k = fewest(l, goal->false_drop);
    if (!l) {
        l = longest(k, goal->false_drop);
        l = l ? l : 1;
    }
    param[K] = s->k = k;
    param[L] = s->l = l;
    s->m = slice_words(goal, k + l) * 64;
    s->once = param[ADD] > 0;
    s->span = span_for(goal->window, l);
    if (!s->span)
        s->span = fr_u64(
            fmax(1, full_load(k, l, goal->false_drop) * (double)s->m / k));
    return sizeof *s + (k + l) * (s->m / 8);
}

static bool apbf_check(const void *state, size_t bytes)
{
    const struct apbf *s = state;

    return s->k >= 1 && s->k <= MAX_K && s->l >= 1 && s->l <= MAX_L &&
           s->m >= 64 && s->m % 64 == 0 && s->m / 64 <= bytes &&
           (s->k + s->l) * (s->m / 8) == bytes - sizeof *s && s->span >= 1 &&
           s->once <= 1 && s->unused == 0;
}

static bool apbf_check_live(const void *state, size_t bytes)
{
    const struct apbf *s = state;

    (void)bytes;
    return s->young < s->k + s->l;
}

/* ---- The filter ------------------------------------------------------- */

/* Returns the place in memory of the slice of an age. */
static uint32_t slice_of(const struct apbf *s, uint32_t age)
{
    uint32_t at = s->young + age, slices = s->k + s->l;

    return at < slices ? at : at - slices;
}

/* Returns a key's bit in the slice of an age.  The hash belongs to the place in
   memory, so that it does not change as the slice ages. */
static uint64_t bit_of(const struct apbf *s, freshet_hash key, uint32_t age)
{
    uint32_t slice = slice_of(s, age);

    return slice * s->m + fr_bloom_at(s->m, key, slice);
}

/*
 * The youngest slices will be set.  Of the others, those are prefetched where a
 * search begins if all bits it meets are unset; a search seldom goes much
 * further.
 */
static void apbf_touch(const struct apbf *s, freshet_hash key, uint64_t ahead)
{
    (void)ahead;
    for (uint32_t age = 0; age < s->k; age++)
        FR_PREFETCH(&s->bit[bit_of(s, key, age) / 64]);
    for (uint32_t age = s->l; age >= s->k; age -= s->k)
        FR_PREFETCH(&s->bit[bit_of(s, key, age) / 64]);
}

/*
 * A row of k slices ends at or before the last slice, so that it covers slice l
 * or begins at a younger one.  The search goes upwards from there.  At an unset
 * bit, the next possible row begins k slices before it and ends in the set bits
 * found last.
 */
static uint8_t apbf_probe(const struct apbf *s, freshet_hash key)
{
    uint32_t at = s->l, met = 0, run = 0;

    for (;;) {
        if (fr_cell_get(s->bit, bit_of(s, key, at), 1)) {
            at++;
            if (++run + met == s->k)
                return FRESHET_SEEN;
        } else {
            if (at < s->k)
                return FRESHET_NEW;
            at -= s->k;
            met = run;
            run = 0;
        }
    }
}

static void apbf_turn(struct apbf *s)
{
    s->count = 0;
    s->young = slice_of(s, s->k + s->l - 1);
    memset(s->bit + s->young * (s->m / 64), 0, s->m / 8);
}

static uint8_t apbf_step(struct apbf *s, freshet_hash key)
{
    uint8_t seen = apbf_probe(s, key);

    for (uint32_t age = 0; (!seen || !s->once) && age < s->k; age++)
        fr_cell_fill(s->bit, bit_of(s, key, age), 1);
    if (++s->count >= s->span)
        apbf_turn(s);
    return seen;
}

FR_BATCHED(apbf)

static void apbf_inspect(const void *state, freshet_info *info)
{
    const struct apbf *s = state;
    uint64_t words = s->m / 64;
    double fill[MAX_SLICES];

    info->slots = s->m * (s->k + s->l);
    info->used = 0;
    for (uint32_t age = 0; age < s->k + s->l; age++) {
        uint64_t ones = fr_count_ones(s->bit + slice_of(s, age) * words, words);

        info->used += ones;
        fill[age] = (double)ones / (double)s->m;
    }
    info->false_drop = row_chance(fill, s->k, s->k + s->l);
    fr_window_inspect(s->once, info);
}

const struct fr_algo fr_apbf = {
    .about = {.name = "apbf",
              .title = "age-partitioned Bloom filter",
              .paper = "Shtul, Baquero and Almeida, arXiv:2001.03147",
              .can = FRESHET_CAN_WINDOW | FRESHET_CAN_PROMISE},
    .id = FR_ID('a', 'p', 'b', '1'),
    .params = apbf_params,
    .head = offsetof(struct apbf, count),
    .base = sizeof(struct apbf),
    .plan = apbf_plan,
    .check = apbf_check,
    .check_live = apbf_check_live,
    .offer = apbf_offer,
    .query = apbf_query,
    .inspect = apbf_inspect,
    .expect = apbf_expect,
};
