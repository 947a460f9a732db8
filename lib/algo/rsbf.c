/*
 * rsbf.c - reservoir sampling Bloom filter
 *
 * S. Dutta, S. Bhattacherjee and A. Narang, "Towards intelligent compression
 * in streams: a biased reservoir sampling based Bloom filter approach", EDBT
 * 2012; analysed again in Bera et al., 2012, section 3.
 *
 * k partitions of s bits.  A key is seen when its k bits are all set.  What
 * happens then depends on i, the number of the record.  The second paper
 * prints this in its Algorithm 1 (sampling=stream):
 *
 *     i <= s           its bits are set
 *     s/i > p*         with probability s/i one random bit of each partition
 *                      is reset, then its bits are set
 *     s/i <= p*        each of its zero bits changes places with a one of the
 *                      same partition
 *
 * Prints and measurements differ, and each has its value of sampling:
 *
 *     distinct  the second paper's section 3.2: records called repeats never
 *               enter between s and the last phase
 *     early     what both papers measured: as stream, but the first s records
 *               reset a bit in each partition, too.  Their tables come out
 *               with it to a fraction of a percent (doc/results.md)
 *     dutta     the first paper's Algorithm 1: a random number P per record;
 *               P <= s/i or i <= s sets its bits and resets none, else P > p*
 *               and a key called new is the last phase above.  On an endless
 *               stream it fills up
 *     prose     the first paper's section 4: every insertion resets a bit in
 *               each partition; below p* all keys called new are inserted,
 *               and the others still with probability s/i
 *     off       every record resets and sets: no reservoir at all
 *
 * stream stays the default.  It is the algorithm that is printed last, and of
 * the readings with a last phase it errs least where the reservoir holds most
 * of the stream, since it deletes nothing before record s:
 * lab/results/quick.txt has both for each published cell.
 *
 * Departure: how to find a one is not said.  We look at random places, then
 * through one page of words; where there is none in all that, the partition
 * is all but empty, nothing is reset, and it gains a one instead.  So a step
 * takes constant time whatever the stream.
 */
#include <math.h>

#include "parts/partitions.h"
#include "theory/rsbf_theory.h"

struct rsbf {
    struct fr_parts parts;
    uint64_t late; /* the first record of the third phase */
    uint32_t sampling, unused;
    uint64_t records; /* live from here */
    uint64_t pad[2];
    uint64_t bit[];
};
_Static_assert(sizeof(struct rsbf) == 64, "part of the format");

/* The values of sampling, in the order of their numbers in a head. */
enum { STREAM, DISTINCT, OFF, EARLY, DUTTA, PROSE };
enum { K, PSTAR, SAMPLING, END };
static const freshet_parameter rsbf_params[] = {
    [K] = {"k", 0, FR_MAX_PARTS, 0, 1, NULL, "partitions; 0: from the rate"},
    [PSTAR] = {"pstar", 1e-6, 1, 0.03, 0, NULL,
               "storing chance below which all new keys are stored"},
    [SAMPLING] = {"sampling", 0, PROSE, STREAM, 1,
                  "stream|distinct|off|early|dutta|prose",
                  "which reading of the papers decides what is stored"},
    [END] = {0},
};

enum {
    TRIES = 32, /* random places: enough for one bit in ten */
    PAGE = 512  /* words of the search that follows */
};

/* ---- Theory ----------------------------------------------------------- */

static const struct rsbf *rsbf_of(const struct fr_parts *p)
{
    return (const struct rsbf *)p; /* its first member */
}

/* After record s, while s/i is above p*. */
static void law_of_phase_two(const struct rsbf *s, double chance,
                             struct fr_parts_record *r)
{
    r->stored = r->resets = chance;
    if (s->sampling == DISTINCT)
        r->resets *= r->fresh;
}

/*
 * Sampled records only set; of the others those above p* change places.  A zero
 * bit belongs to a record called new.  In the end nothing is sampled, and the
 * zeros that were left have been filled.
 */
static void law_of_dutta(const struct rsbf *s, double chance,
                         struct fr_parts_record *r)
{
    double pstar = (double)s->parts.s / (double)s->late;
    double swapped = 1 - fmax(chance, pstar);

    r->stored = chance + swapped;
    r->resets = isinf(r->t) ? 0 : swapped * r->zero / r->ones;
}

static void rsbf_law(const struct fr_parts *p, struct fr_parts_record *r)
{
    const struct rsbf *s = rsbf_of(p);
    double chance = (double)p->s / r->t;
    bool deletes_early = s->sampling == EARLY || s->sampling == PROSE;

    r->stored = r->resets = 1;
    if (s->sampling == OFF)
        return;
    if (chance >= 1)
        r->resets = deletes_early;
    else if (s->sampling == DUTTA)
        law_of_dutta(s, chance, r);
    else if (r->t < (double)s->late)
        law_of_phase_two(s, chance, r);
    else if (s->sampling == PROSE)
        r->resets = r->fresh + (1 - r->fresh) * chance;
    else
        r->resets = r->zero / r->ones;
}

/* The three phases: Eq. 3.18, 3.27 and 3.28. */
static void rsbf_claim(const struct fr_parts *p, double t, double y, double *up,
                       double *down)
{
    double s = (double)p->s;

    *up = *down = 1 / s;
    if (t >= s)
        *up = *down =
            (1 - pow(y, p->k)) / (t < (double)rsbf_of(p)->late ? t : s);
}

static double rsbf_frozen(const struct fr_parts *p)
{
    const struct rsbf *s = rsbf_of(p);

    return s->sampling == OFF || s->sampling == DUTTA || s->sampling == PROSE
               ? 0
               : (double)s->late;
}

static const struct fr_parts_theory rsbf_theory = {
    .law = rsbf_law,
    .claim = rsbf_claim,
    .steady = "per-bit balance of rsbf up to its last phase, then survival",
    .finite = "per-bit balance of rsbf along a uniform stream",
    .published = "Bera et al. Eq. 3.18, 3.27 and 3.28",
    .frozen = rsbf_frozen,
};

/* The first paper analyses the reservoir without p*, the second with it; there
   is no formula for the algorithm of their tables. */
static void rsbf_expect(const void *state, const freshet_workload *w,
                        freshet_rates *rates)
{
    const struct rsbf *s = state;
    struct fr_dutta_law law = {(double)s->parts.s, s->parts.k};

    if (w->published && (s->sampling == DUTTA || s->sampling == PROSE))
        fr_dutta_expect(&law, w, rates);
    else if (!w->published || s->sampling <= DISTINCT)
        fr_parts_expect(&rsbf_theory, &s->parts, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

/* Returns the mean of two numbers of partitions: that of Dutta Eq. 5.27 for
   the rate, and 1, the best one for false passes. */
static double wanted_k(double false_drop)
{
    double k = round((1 + log(false_drop) / log1p(-exp(-1))) / 2);

    return fmin(fmax(k, 1), FR_MAX_PARTS);
}

static size_t rsbf_plan(void *state, const struct fr_goal *goal)
{
    struct rsbf *s = state;
    double *param = goal->param;
    size_t bytes;

    if (param[K] == 0)
        param[K] = wanted_k(goal->false_drop);
    bytes = fr_parts_plan(&s->parts, goal, fr_u32(param[K]), sizeof *s);
    s->sampling = fr_u32(param[SAMPLING]);
    s->late = fr_u64(ceil((double)s->parts.s / param[PSTAR]));
    return bytes;
}

static bool rsbf_check(const void *state, size_t bytes)
{
    const struct rsbf *s = state;

    return fr_parts_check(&s->parts, bytes - sizeof *s) &&
           s->late >= s->parts.s && s->sampling <= PROSE && !s->unused;
}

/* ---- The filter ------------------------------------------------------- */

static uint8_t rsbf_probe(const struct rsbf *s, freshet_hash key)
{
    return fr_parts_probe(&s->parts, s->bit, key);
}

/* Resets a random one of partition i, unless the partition is nearly empty. */
static void reset_a_one(struct rsbf *s, freshet_hash random, uint32_t i)
{
    const struct fr_parts *p = &s->parts;
    uint64_t *part = s->bit + i * (p->s / 64), words = p->s / 64, at = 0;

    for (uint32_t t = 0; t < TRIES; t++) {
        at = fr_parts_spot(p, random, i, i + t * p->k);
        if (fr_cell_get(s->bit, at, 1)) {
            fr_cell_decrement(s->bit, at, 1);
            return;
        }
    }
    at = at / 64 - i * words;
    for (uint64_t n = 0; n < PAGE && n < words; n++) {
        if (part[at]) {
            part[at] &= part[at] - 1;
            return;
        }
        at = at + 1 < words ? at + 1 : 0;
    }
}

static void rsbf_swap(struct rsbf *s, freshet_hash key, freshet_hash random)
{
    for (uint32_t i = 0; i < s->parts.k; i++) {
        uint64_t at = fr_parts_at(&s->parts, key, i);

        if (!fr_cell_get(s->bit, at, 1)) {
            reset_a_one(s, random, i);
            fr_cell_fill(s->bit, at, 1);
        }
    }
}

/* Returns whether the record's random number P is below a / b. */
static bool is_below(const struct rsbf *s, freshet_hash random, uint64_t a,
                     uint64_t b)
{
    return fr_reduce(fr_nth(random, s->parts.k), b) < a;
}

enum act { SKIP, SET, REPLACE, SWAP };

static enum act act_of_dutta(const struct rsbf *s, uint64_t i, uint8_t seen,
                             freshet_hash random)
{
    if (i <= s->parts.s || is_below(s, random, s->parts.s, i))
        return SET;
    if (seen == FRESHET_NEW && !is_below(s, random, s->parts.s, s->late))
        return SWAP;
    return SKIP;
}

static enum act act_in_last_phase(const struct rsbf *s, uint64_t i,
                                  uint8_t seen, freshet_hash random)
{
    if (seen == FRESHET_NEW)
        return s->sampling == PROSE ? REPLACE : SWAP;
    return s->sampling == PROSE && is_below(s, random, s->parts.s, i) ? REPLACE
                                                                      : SKIP;
}

static enum act act_on(const struct rsbf *s, uint64_t i, uint8_t seen,
                       freshet_hash random)
{
    if (s->sampling == OFF)
        return REPLACE;
    if (s->sampling == DUTTA)
        return act_of_dutta(s, i, seen, random);
    if (i <= s->parts.s)
        return s->sampling >= EARLY ? REPLACE : SET;
    if (i >= s->late)
        return act_in_last_phase(s, i, seen, random);
    if (seen == FRESHET_SEEN && s->sampling == DISTINCT)
        return SKIP;
    return is_below(s, random, s->parts.s, i) ? REPLACE : SKIP;
}

static uint8_t rsbf_step(struct rsbf *s, freshet_hash key)
{
    freshet_hash random = fr_parts_random(&s->parts, s->records++);
    uint8_t seen = rsbf_probe(s, key);

    switch (act_on(s, s->records, seen, random)) {
    case REPLACE:
        fr_parts_reset(&s->parts, s->bit, random);
        fr_parts_set(&s->parts, s->bit, key);
        break;
    case SET:
        fr_parts_set(&s->parts, s->bit, key);
        break;
    case SWAP:
        rsbf_swap(s, key, random);
        break;
    case SKIP:
        break;
    }
    return seen;
}

static void rsbf_touch(const struct rsbf *s, freshet_hash key, uint64_t ahead)
{
    uint64_t n = s->records + ahead;

    fr_parts_touch(&s->parts, s->bit, key);
    if (n >= s->parts.s || s->sampling >= OFF)
        fr_parts_touch(&s->parts, s->bit, fr_parts_random(&s->parts, n));
}

FR_BATCHED(rsbf)

static void rsbf_inspect(const void *state, freshet_info *info)
{
    const struct rsbf *s = state;

    fr_parts_inspect(&s->parts, s->bit, info);
}

const struct fr_algo fr_rsbf = {
    .about = {.name = "rsbf",
              .title = "reservoir sampling Bloom filter",
              .paper = "Dutta et al., EDBT 2012"},
    .id = FR_ID('r', 's', 'b', '1'),
    .params = rsbf_params,
    .head = offsetof(struct rsbf, records),
    .base = sizeof(struct rsbf),
    .plan = rsbf_plan,
    .check = rsbf_check,
    .offer = rsbf_offer,
    .query = rsbf_query,
    .inspect = rsbf_inspect,
    .expect = rsbf_expect,
};
