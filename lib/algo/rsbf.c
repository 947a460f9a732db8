/*
 * rsbf.c - reservoir sampling Bloom filter
 *
 * S. Dutta, S. Bhattacherjee and A. Narang, "Towards intelligent compression
 * in streams: a biased reservoir sampling based Bloom filter approach", EDBT
 * 2012; analysed again in Bera et al., 2012, section 3.
 *
 * k partitions of s bits.  A key is seen when its k bits are all set.  What
 * happens then depends on i, the number of the record:
 *
 *     i <= s           its bits are set
 *     s/i > p*         with probability s/i one random bit of each partition
 *                      is reset, then its bits are set
 *     s/i <= p*        if it was called new: each of its zero bits changes
 *                      places with a one of the same partition
 *
 * In the second phase the printed algorithm stores whatever comes
 * (sampling=stream), the text only what is called new (sampling=distinct).
 * The printed tables were measured with neither: they come out when every
 * record resets and sets, from the first one on (sampling=off).
 *
 * Departure: how to find a one is not said.  We look at random places, then
 * through one page of words; where there is none in all that, the partition
 * is all but empty, nothing is reset, and it gains a one instead.  So a step
 * takes constant time whatever the stream.
 */
#include <math.h>

#include "parts/partitions.h"

struct rsbf {
    struct fr_parts parts;
    uint64_t late; /* the first record of the third phase */
    uint32_t sampling, unused;
    uint64_t records; /* live from here */
    uint64_t pad[2];
    uint64_t bit[];
};
_Static_assert(sizeof(struct rsbf) == 64, "part of the format");

enum { STREAM, DISTINCT, OFF }; /* the words of sampling */
enum { K, PSTAR, SAMPLING, END };
static const freshet_parameter rsbf_params[] = {
    [K] = {"k", 0, FR_MAX_PARTS, 0, 1, NULL, "partitions; 0: from the rate"},
    [PSTAR] = {"pstar", 1e-6, 1, 0.03, 0, NULL,
               "storing chance below which all new keys are stored"},
    [SAMPLING] = {"sampling", 0, 2, STREAM, 1, "stream|distinct|off",
                  "what a reservoir samples: records, new keys, nothing"},
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

static void rsbf_law(const struct fr_parts *p, struct fr_parts_record *r)
{
    const struct rsbf *s = rsbf_of(p);
    double chance = (double)p->s / r->t;

    r->stored = r->resets = 1;
    if (s->sampling == OFF)
        return;
    if (chance >= 1) {
        r->resets = 0;
    } else if (r->t < (double)s->late) {
        r->stored = r->resets = chance;
        if (s->sampling == DISTINCT)
            r->resets *= r->fresh;
    } else {
        r->resets = r->zero / r->ones;
    }
}

/* With p the third phase begins: Eq. 3.18, then 3.27, then 3.28. */
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
    return rsbf_of(p)->sampling == OFF ? 0 : (double)rsbf_of(p)->late;
}

static const struct fr_parts_theory rsbf_theory = {
    .law = rsbf_law,
    .claim = rsbf_claim,
    .steady = "per-bit balance of rsbf up to its last phase, then survival",
    .finite = "per-bit balance of rsbf along a uniform stream",
    .published = "Bera et al. Eq. 3.18, 3.27 and 3.28",
    .frozen = rsbf_frozen,
};

/* The papers analyse the reservoir only, not what the tables show. */
static void rsbf_expect(const void *state, const freshet_workload *w,
                        freshet_rates *rates)
{
    const struct rsbf *s = state;

    if (!w->published || s->sampling != OFF)
        fr_parts_expect(&rsbf_theory, &s->parts, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

/* Dutta Eq. 5.27, halved with 1, the best k for false passes. */
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
           s->late >= s->parts.s && s->sampling <= OFF && !s->unused;
}

/* ---- The filter ------------------------------------------------------- */

static uint8_t rsbf_probe(const struct rsbf *s, freshet_hash key)
{
    return fr_parts_probe(&s->parts, s->bit, key);
}

/* Reset some one of partition i, if it has any to speak of. */
static void reset_a_one(struct rsbf *s, freshet_hash random, uint32_t i)
{
    const struct fr_parts *p = &s->parts;
    uint64_t *part = s->bit + i * (p->s / 64), words = p->s / 64, at = 0;

    for (uint32_t t = 0; t < TRIES; t++) {
        at = fr_parts_spot(p, random, i, i + t * p->k);
        if (fr_cell_get(s->bit, at, 1)) {
            fr_cell_wane(s->bit, at, 1);
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

/* True with probability s/i. */
static bool sampled(const struct rsbf *s, freshet_hash random, uint64_t i)
{
    return fr_reduce(fr_nth(random, s->parts.k), i) < s->parts.s;
}

enum act { SKIP, SET, REPLACE, SWAP };

static enum act act_on(const struct rsbf *s, uint64_t i, uint8_t seen,
                       freshet_hash random)
{
    if (s->sampling == OFF)
        return REPLACE;
    if (i <= s->parts.s)
        return SET;
    if (seen == FRESHET_SEEN && (i >= s->late || s->sampling == DISTINCT))
        return SKIP;
    if (i >= s->late)
        return SWAP;
    return sampled(s, random, i) ? REPLACE : SKIP;
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
    if (n >= s->parts.s || s->sampling == OFF)
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
