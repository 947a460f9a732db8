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
 * nothing changes then.  Otherwise, with probability xi, k random counters
 * lose a random amount; then the key's own are set to Max = 2^c - 1 and its
 * fingerprint goes into its k cells.
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
#include "theory/reach.h"

struct fpsbf {
    uint64_t table; /* cells of one of the k tables */
    uint64_t seed;
    uint64_t xi; /* times 2^64 */
    uint32_t k, c, f;
    uint16_t match, update;
    uint64_t draws; /* live from here */
    uint64_t pad[2];
    uint64_t cell[];
};
_Static_assert(sizeof(struct fpsbf) == 64, "part of the format");

enum { STEPS = 1000 }; /* of a sum over a stream */
enum { ALL, ANY };
enum { XOR, REPLACE };
enum { K, C, F, XI, MATCH, UPDATE, END };
static const freshet_parameter fpsbf_params[] = {
    [K] = {"k", 1, 32, 3, 1, NULL, "cells per key, one in each table"},
    [C] = {"c", 1, 8, 3, 1, NULL, "bits of a cell's counter"},
    [F] = {"f", 0, 32, 0, 1, NULL, "bits of its fingerprint; 0: from the rate"},
    [XI] = {"xi", 0, 1, 0.1, 0, NULL, "chance that a new key evicts"},
    [MATCH] = {"match", 0, 1, ANY, 1, "all|any",
               "how many of the fingerprints must agree"},
    [UPDATE] = {"update", 0, 1, REPLACE, 1, "xor|replace",
                "how a new key's fingerprint goes in"},
    [END] = {0},
};

/* ---- Theory ----------------------------------------------------------- */

struct law {
    double k, max, xi, equal; /* chance that two fingerprints are */
    double rate;              /* at which a cell is set, per key taken in */
    bool any, xor;
};

static struct law law_of(const struct fpsbf *s)
{
    return (struct law){
        .k = s->k,
        .max = (double)fr_slot_max(s->c),
        .xi = (double)s->xi / 0x1p64,
        .equal = exp2(-(double)s->f),
        .rate = 1 / (double)s->table,
        .any = s->match == ANY,
        .xor = s->update == XOR,
    };
}

/*
 * A cell at Max is still above zero after j decrements with probability
 * C(Max-1, j) / Max^j: so many of the Max^j sums of j numbers from 1 to Max
 * stay below Max.  While n keys come in, a Poisson number of them happen.
 */
static double alive(const struct law *l, double n)
{
    double mean = l->xi * l->rate * n, term = exp(-mean), sum = 0;

    for (double j = 0; j < l->max && term > 0; j++) {
        sum += term;
        term *= mean / (j + 1) * (l->max - 1 - j) / (j + 1) / l->max;
    }
    return sum;
}

/*
 * The chance that a cell is above zero thanks to being set by one of the
 * last n keys: the same sum, over the time since it was set.
 */
static double above_zero(const struct law *l, double n)
{
    double weight = 1 / (1 + l->xi), sum = 0;

    for (double j = 0; j < l->max && weight > sum * 1e-12; j++) {
        sum += weight * (isinf(n) ? 1
                                  : fr_poisson_tail((1 + l->xi) * l->rate * n,
                                                    (unsigned)j + 1));
        weight *= l->xi / (1 + l->xi) * (l->max - 1 - j) / (j + 1) / l->max;
    }
    return sum;
}

/* Of k cells, each above zero with one chance, agreeing with another. */
static double matches(const struct law *l, double above, double agreeing)
{
    double all = pow(agreeing, l->k);

    return l->any ? pow(above, l->k) - pow(above - agreeing, l->k) : all;
}

static double fpsbf_false_drop(const void *law, double n)
{
    const struct law *l = law;
    double above = above_zero(l, n);

    return matches(l, above, above * l->equal);
}

/*
 * A cell agrees for certain if no key has been in it since, and with xor if
 * none was before either: what is there else agrees by chance.
 */
static double lost(const struct law *l, double n, double since)
{
    double own = exp(-l->rate * since) * alive(l, since);
    double above = own + above_zero(l, since);

    if (l->xor)
        own *= exp(-l->rate * (n - since));
    return 1 - matches(l, above, own + (above - own) * l->equal);
}

/*
 * A key that was falsely dropped is not there at all: with match=any, mostly
 * one cell of another key stands in for it, until it is lost in turn.
 */
static double fpsbf_false_pass(const void *law, double n, double since)
{
    const struct law *l = law;
    double own = exp(-l->rate * since) * alive(l, since);
    double others = l->any ? own + above_zero(l, since) : own;
    double drop = fpsbf_false_drop(l, n);

    return (1 - drop) *
           (lost(l, n, since) + drop * (1 - own * pow(others, l->k - 1)));
}

/*
 * A finite stream.  Only a key not recognised comes in, so count time by the
 * n keys that did: each has survived with probability G(n - j) since the
 * j-th, wherever in the stream that was, hence the share of the universe
 * that is recognised grows by G(n) / universe with every one.  Fifty rounds
 * of the universe are summed; what follows is as the last of them.
 */
static void over_stream(const struct law *l, double universe, double records,
                        freshet_rates *rates)
{
    double step = fmin(records / STEPS, universe / 20), drop = 0;
    double n = 0, known = 0, drops = 0, fresh = 0, passes = 0, repeats = 0;

    for (int i = 0; i < STEPS; i++) {
        double is_new = exp(-step * (i + 0.5) / universe), taken;

        drop = fpsbf_false_drop(l, n);
        taken = step * (1 - known) * (1 - drop);
        fresh += is_new;
        drops += is_new * drop;
        repeats += 1 - is_new;
        passes += fmax(0, 1 - is_new - known) * (1 - drop);
        known = fmin(1, known + (1 - lost(l, n, n)) * taken / universe);
        n += taken;
    }
    repeats += records / step - STEPS;
    passes += (records / step - STEPS) * (1 - known) * (1 - drop);
    rates->false_drop = drops / fresh;
    rates->false_pass = fmin(1, passes / repeats);
    if (l->xor) /* a key that comes in again may cancel itself out */
        rates->false_pass = (double)NAN;
}

/* Eq. 12, 13 and 15: their second term vanishes as the stream goes on. */
static double published_false_drop(const struct law *l)
{
    double m = l->k / l->rate;

    return pow(1 / (1 + 1 / (l->xi * l->k * (1 / l->k - 1 / m))), l->max);
}

/*
 * Eq. 6 to 9 and 16 to 20, with z at its mean chance to be at least Max, and
 * the binomial as a Poisson tail.  Eq. 5 takes a cell that nobody has set for
 * zero, so that an immediate repeat is always missed.
 */
static double published_false_pass(const struct law *l, double gap)
{
    double kill = l->xi * l->rate / l->max, both = kill + l->rate;
    double zero = pow(kill / both, l->max) *
                  fr_poisson_tail(both * gap, (unsigned)l->max);
    double bits = -log2(l->equal), m = l->k / l->rate;
    double error = l->equal / m * gap * pow(1 - 1 / bits, gap - 1);

    zero = fmin(1, zero + exp(-l->rate * gap));
    return fmin(1, 1 - pow(1 - zero, l->k) + pow(error, l->k));
}

static void fpsbf_expect(const void *state, const freshet_workload *w,
                         freshet_rates *rates)
{
    struct law l = law_of(state);
    struct fr_course course = {&l, fpsbf_false_drop, fpsbf_false_pass};

    rates->theory = "Singh and Batra Eq. 15 and 20";
    if (w->published) {
        rates->false_drop = published_false_drop(&l);
        if (!w->distinct)
            rates->false_pass = published_false_pass(&l, (double)w->gap);
        return;
    }
    rates->theory = "after Singh and Batra Eq. 3-20, corrected";
    rates->reach = fr_reach(&course);
    rates->false_drop = fpsbf_false_drop(&l, (double)INFINITY);
    rates->false_pass = fpsbf_false_pass(&l, (double)INFINITY, (double)w->gap);
    if (w->distinct && w->records)
        over_stream(&l, (double)w->distinct, (double)w->records, rates);
    else if (w->distinct)
        fr_average(&course, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

static uint64_t words_of(const struct fpsbf *s)
{
    uint64_t words = fr_slots_words(s->table * s->k, s->c + s->f);

    return words < 8 ? 8 : words;
}

/* The fewest bits that keep to the rate on an endless stream. */
static double narrowest(struct law l, double rate)
{
    double f = 1;

    for (; f < 32; f++) {
        l.equal = exp2(-f);
        if (fpsbf_false_drop(&l, (double)INFINITY) <= rate)
            break;
    }
    return f;
}

static size_t fpsbf_plan(void *state, const struct fr_goal *goal)
{
    struct fpsbf *s = state;
    double *param = goal->param;

    s->k = fr_u32(param[K]);
    s->c = fr_u32(param[C]);
    s->xi = fr_probability(param[XI]);
    s->match = (uint16_t)param[MATCH];
    s->update = (uint16_t)param[UPDATE];
    s->seed = goal->seed;
    s->table = 1;
    if (param[F] == 0)
        param[F] = narrowest(law_of(s), goal->false_drop);
    s->f = fr_u32(param[F]);
    s->table = fr_slots_fit((goal->bytes - sizeof *s) / 8, s->c + s->f) / s->k;
    if (s->table == 0)
        s->table = 1;
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

/* The i-th cell that a record's random number picks. */
static uint64_t victim_of(const struct fpsbf *s, uint64_t random, uint32_t i)
{
    return fr_reduce(fr_random_at(random, 2 * i), s->table * s->k);
}

static void fpsbf_evict(struct fpsbf *s, uint64_t random)
{
    uint64_t max = fr_slot_max(s->c);
    unsigned width = s->c + s->f;

    for (uint32_t i = 0; i < s->k; i++) {
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

/* One random number a record, used or not, so that it is known ahead. */
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
    unsigned width = s->c + s->f;

    for (uint32_t i = 0; i < s->k; i++)
        FR_PREFETCH(fr_slot_at(s->cell, cell_of(s, key, i), width));
    for (uint32_t i = 0; i < s->k && fr_chance(random, s->xi); i++)
        FR_PREFETCH(fr_slot_at(s->cell, victim_of(s, random, i), width));
}

FR_BATCHED(fpsbf)

static void fpsbf_inspect(const void *state, freshet_info *info)
{
    const struct fpsbf *s = state;
    struct law l = law_of(s);
    double above;

    info->slots = s->table * s->k;
    for (uint64_t i = 0; i < info->slots; i++)
        info->used +=
            (fr_slot_get(s->cell, i, s->c + s->f) & fr_slot_max(s->c)) != 0;
    above = (double)info->used / (double)info->slots;
    info->false_drop = matches(&l, above, above * l.equal);
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
