/*
 * fpsbf.c - fingerprint stable Bloom filter
 *
 * A. Singh and S. Batra, "Fingerprint based duplicate detection in streamed
 * data", Computing and Informatics 37, 2018.
 *
 * k tables of cells, one cell of each for a key.  A cell is a counter of c
 * bits and a fingerprint of f bits:
 *
 *     | fingerprint, f bits | counter, c bits |
 *
 * A key is seen when its k counters are above zero and fingerprints agree;
 * nothing changes then.  Otherwise, with probability xi, L random counters
 * lose a random amount; then the key's own are set to Max = 2^c - 1 and its
 * fingerprint goes into its k cells.
 *
 * L is k in Algorithm 3, the default; section 5 has it from the wanted rate by
 * Eq. 21, which knows nothing of fingerprints (victims=rate).  Max is to be
 * chosen by Eq. 23, the fewest false passes at the gaps of the stream: c=0, in
 * our formula, since the printed one misses every immediate repeat.
 *
 * The paper leaves two things open.  Its Algorithm 2 wants all fingerprints
 * to agree, its prose any; it combines old and new by xor, which nothing ever
 * undoes, where replacing the old would do.  FPR + FNR in percent, at k=3,
 * c=3, f=5, xi=0.1; A: 10 M uniform records, 15 % distinct, in 5.4 MB; B: an
 * endless stream, half repeats at gaps up to 500,000, in 1 MB:
 *
 *     match  update         A                  B
 *     all    xor       0.0 + 76.0        0.0 + 100.0    as printed
 *     all    replace   0.0 + 59.6        0.0 +  63.8
 *     any    xor       0.5 + 11.9        8.2 +  87.8
 *     any    replace   0.5 +  1.4        8.5 +   9.0    the default
 *
 * The order is the same with f from a wanted rate of 1 %, and for xi up to 1.
 * With update=xor even an immediate repeat may pass as new, whatever the
 * algorithm's FRESHET_CAN_PROMISE says of the default.
 */
#include <math.h>

#include "algo.h"
#include "parts/batched.h"
#include "parts/slots.h"
#include "theory/fpsbf_theory.h"

struct fpsbf {
    uint64_t table; /* cells of one of the k tables */
    uint64_t seed;
    uint64_t xi; /* times 2^64 */
    uint16_t k;
    uint16_t l; /* counters decremented by an eviction; 0: k */
    uint32_t c, f;
    uint16_t match, update;
    uint64_t draws; /* live from here */
    uint64_t pad[2];
    uint64_t cell[];
};
_Static_assert(sizeof(struct fpsbf) == 64, "part of the format");

enum { ALL, ANY };
enum { XOR, REPLACE };
enum { BY_K, BY_RATE };
enum { MOST_VICTIMS = UINT16_MAX, MOST_AHEAD = 32 };
enum { K, C, F, XI, MATCH, UPDATE, L, VICTIMS, GAP, END };
static const freshet_parameter fpsbf_params[] = {
    [K] = {"k", 1, 32, 3, 1, NULL, "cells per key, one in each table"},
    [C] = {"c", 0, 8, 3, 1, NULL,
           "bits of a cell's counter; 0: fewest false passes at the gap"},
    [F] = {"f", 0, 32, 0, 1, NULL, "bits of its fingerprint; 0: from the rate"},
    [XI] = {"xi", 0, 1, 0.1, 0, NULL, "chance that a new key evicts"},
    [MATCH] = {"match", 0, 1, ANY, 1, "all|any",
               "how many of the fingerprints must agree"},
    [UPDATE] = {"update", 0, 1, REPLACE, 1, "xor|replace",
                "how a new key's fingerprint goes in"},
    [L] = {"l", 0, MOST_VICTIMS, 0, 1, NULL,
           "counters that an eviction lowers; 0: as victims says"},
    [VICTIMS] = {"victims", 0, 1, BY_K, 1, "k|rate",
                 "how many that is: k, or from the wanted rate"},
    [GAP] = {"gap", 0, 1e15, 0, 1, NULL,
             "new keys from a key to its repeat; 0: the window or the keys"},
    [END] = {0},
};

/* ---- Theory ----------------------------------------------------------- */

static uint32_t victims(const struct fpsbf *s)
{
    return s->l ? s->l : s->k;
}

static struct fr_fpsbf_law law_of(const struct fpsbf *s)
{
    return (struct fr_fpsbf_law){
        .k = s->k,
        .max = (double)fr_slot_max(s->c),
        .equal = exp2(-(double)s->f),
        .rate = 1 / (double)s->table,
        .evict = (double)s->xi / 0x1p64 * victims(s) / s->k,
        .any = s->match == ANY,
        .xor = s->update == XOR,
    };
}

static void fpsbf_expect(const void *state, const freshet_workload *w,
                         freshet_rates *rates)
{
    struct fr_fpsbf_law l = law_of(state);

    fr_fpsbf_expect(&l, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

static uint64_t words_of(const struct fpsbf *s)
{
    uint64_t words = fr_slots_words(s->table * s->k, s->c + s->f);

    return words < 8 ? 8 : words;
}

/* Returns the fewest bits that keep to the rate on an endless stream. */
static double narrowest(struct fr_fpsbf_law l, double rate)
{
    double f = 1;

    for (; f < 32; f++) {
        l.equal = exp2(-f);
        if (fr_fpsbf_false_drop(&l, (double)INFINITY) <= rate)
            break;
    }
    return f;
}

/* Returns L, or 0 for k. */
static uint16_t victims_for(const struct fpsbf *s, const struct fr_goal *goal)
{
    struct fr_fpsbf_law l = law_of(s);

    if (goal->param[L] > 0)
        return (uint16_t)goal->param[L];
    if (goal->param[VICTIMS] == BY_K)
        return 0;
    return (uint16_t)fmax(1, fmin(MOST_VICTIMS,
                                  fr_fpsbf_victims(&l, goal->false_drop)));
}

/* Lays the tables out for counters of c bits. */
static void lay_out(struct fpsbf *s, uint32_t c, const struct fr_goal *goal)
{
    s->c = c;
    s->table = goal->bytes / s->k; /* cells of a byte, for Eq. 21 */
    s->l = victims_for(s, goal);
    s->f = fr_u32(goal->param[F]);
    if (s->f == 0)
        s->f = fr_u32(narrowest(law_of(s), goal->false_drop));
    s->table = fr_slots_fit((goal->bytes - sizeof *s) / 8, s->c + s->f) / s->k;
    if (s->table == 0)
        s->table = 1;
}

static double gap_of(const struct fr_goal *goal)
{
    if (goal->param[GAP] > 0)
        return goal->param[GAP];
    return (double)(goal->window ? goal->window : goal->expect);
}

/* Eq. 23: returns the share of repeats that are called new. */
static double lost_at(const struct fpsbf *s, const struct fr_goal *goal)
{
    struct fr_fpsbf_law l = law_of(s);
    double late = (double)INFINITY, lost = 0, shares = 0;

    if (goal->param[GAP] > 0 || !goal->gap_count)
        return fr_fpsbf_false_pass(&l, late, gap_of(goal));
    for (uint64_t i = 0; i < goal->gap_count; i++) {
        const freshet_gap *g = &goal->gaps[i];

        lost += g->share * fr_fpsbf_false_pass(&l, late, (double)g->gap);
        shares += g->share;
    }
    return lost / shares;
}

/* Returns the bits of a counter that lose the fewest repeats. */
static uint32_t best_size(struct fpsbf *s, const struct fr_goal *goal)
{
    double least = 2;
    uint32_t best = 3;

    if (gap_of(goal) == 0 && !goal->gap_count)
        return best; /* the gaps are unknown */
    for (uint32_t c = 1; c <= 8; c++) {
        double lost;

        lay_out(s, c, goal);
        lost = lost_at(s, goal);
        if (lost < least) {
            least = lost;
            best = c;
        }
    }
    return best;
}

static size_t fpsbf_plan(void *state, const struct fr_goal *goal)
{
    struct fpsbf *s = state;
    double *param = goal->param;

    s->k = (uint16_t)param[K];
    s->xi = fr_probability(param[XI]);
    s->match = (uint16_t)param[MATCH];
    s->update = (uint16_t)param[UPDATE];
    s->seed = goal->seed;
    if (param[C] == 0)
        param[C] = best_size(s, goal);
    lay_out(s, fr_u32(param[C]), goal);
    param[F] = s->f;
    param[L] = s->l;
    return sizeof *s + words_of(s) * 8;
}

static bool fpsbf_check(const void *state, size_t bytes)
{
    const struct fpsbf *s = state;

    return s->k >= 1 && s->k <= 32 && s->c >= 1 && s->c <= 8 && s->f >= 1 &&
           s->f <= 32 && s->match <= ANY && s->update <= REPLACE &&
           s->table >= 1 && s->table <= bytes * 8 &&
           sizeof *s + words_of(s) * 8 == bytes;
}

/* ---- The filter ------------------------------------------------------- */

static uint64_t cell_of(const struct fpsbf *s, freshet_hash key, uint32_t i)
{
    return i * s->table + fr_reduce(fr_nth(key, i), s->table);
}

static uint64_t print_of(const struct fpsbf *s, freshet_hash key)
{
    return fr_mix(key.hi) >> (64 - s->f);
}

static uint8_t fpsbf_probe(const struct fpsbf *s, freshet_hash key)
{
    uint64_t print = print_of(s, key);
    uint32_t same = 0;

    for (uint32_t i = 0; i < s->k; i++) {
        uint64_t cell = fr_slot_get(s->cell, cell_of(s, key, i), s->c + s->f);

        if ((cell & fr_slot_max(s->c)) == 0)
            return FRESHET_NEW;
        same += cell >> s->c == print;
    }
    return same >= (s->match == ALL ? s->k : 1) ? FRESHET_SEEN : FRESHET_NEW;
}

/* Returns the i-th cell that a record's random number selects. */
static uint64_t victim_of(const struct fpsbf *s, uint64_t random, uint32_t i)
{
    return fr_reduce(fr_random_at(random, 2 * i), s->table * s->k);
}

static void fpsbf_evict(struct fpsbf *s, uint64_t random)
{
    uint64_t max = fr_slot_max(s->c);
    unsigned width = s->c + s->f;

    for (uint32_t i = 0, n = victims(s); i < n; i++) {
        uint64_t at = victim_of(s, random, i);
        uint64_t z = 1 + fr_reduce(fr_random_at(random, 2 * i + 1), max);
        uint64_t cell = fr_slot_get(s->cell, at, width), count = cell & max;

        fr_slot_set(s->cell, at, width, cell - (z < count ? z : count));
    }
}

static void fpsbf_insert(struct fpsbf *s, freshet_hash key)
{
    unsigned width = s->c + s->f;
    uint64_t print = print_of(s, key);

    for (uint32_t i = 0; i < s->k; i++) {
        uint64_t at = cell_of(s, key, i), old = 0;

        if (s->update == XOR)
            old = fr_slot_get(s->cell, at, width) >> s->c;
        fr_slot_set(s->cell, at, width,
                    (old ^ print) << s->c | fr_slot_max(s->c));
    }
}

/* Each record draws one random number, used or not, so that it is known in
   advance. */
static uint8_t fpsbf_step(struct fpsbf *s, freshet_hash key)
{
    uint64_t random = fr_random(s->seed, &s->draws);

    if (fpsbf_probe(s, key) == FRESHET_SEEN)
        return FRESHET_SEEN;
    if (fr_chance(random, s->xi))
        fpsbf_evict(s, random);
    fpsbf_insert(s, key);
    return FRESHET_NEW;
}

static void fpsbf_touch(const struct fpsbf *s, freshet_hash key, uint64_t ahead)
{
    uint64_t random = fr_random_at(s->seed, s->draws + ahead);
    unsigned width = s->c + s->f, lowered = victims(s);

    for (uint32_t i = 0; i < s->k; i++)
        FR_PREFETCH(fr_slot_at(s->cell, cell_of(s, key, i), width));
    if (lowered > MOST_AHEAD)
        lowered = MOST_AHEAD;
    for (uint32_t i = 0; i < lowered && fr_chance(random, s->xi); i++)
        FR_PREFETCH(fr_slot_at(s->cell, victim_of(s, random, i), width));
}

FR_BATCHED(fpsbf)

static void fpsbf_inspect(const void *state, freshet_info *info)
{
    const struct fpsbf *s = state;
    struct fr_fpsbf_law l = law_of(s);
    double above;

    info->slots = s->table * s->k;
    for (uint64_t i = 0; i < info->slots; i++)
        info->used +=
            (fr_slot_get(s->cell, i, s->c + s->f) & fr_slot_max(s->c)) != 0;
    above = (double)info->used / (double)info->slots;
    info->false_drop = fr_fpsbf_matches(&l, above, above * l.equal);
}

const struct fr_algo fr_fpsbf = {
    .about = {.name = "fpsbf",
              .title = "fingerprint stable Bloom filter",
              .paper = "Singh and Batra, Computing and Informatics 2018",
              .can = FRESHET_CAN_PROMISE},
    .id = FR_ID('f', 'p', 's', '1'),
    .params = fpsbf_params,
    .head = offsetof(struct fpsbf, draws),
    .base = sizeof(struct fpsbf),
    .plan = fpsbf_plan,
    .check = fpsbf_check,
    .offer = fpsbf_offer,
    .query = fpsbf_query,
    .inspect = fpsbf_inspect,
    .expect = fpsbf_expect,
};
