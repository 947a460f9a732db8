/*
 * rlbsbf.c - randomized load balanced biased sampling Bloom filter
 *
 * S. K. Bera, S. Dutta, A. Narang and S. Bhattacherjee, "Advanced Bloom
 * filter based algorithms for efficient approximate data de-duplication in
 * streams", 2012, section 5.
 *
 * As bsbf, but the bit picked in a partition is reset only with probability
 * L/s, L being the ones of that partition: a filter that is still empty
 * forgets little.  (Algorithm 4 has the same two words swapped.)
 *
 * On an endless stream the ones settle where p^2 (1 - p^k) = 1 - p: 57 %
 * false drops with k = 2.
 */
#include <math.h>

#include "parts/partitions.h"

struct rlbsbf {
    struct fr_parts parts;
    uint64_t draws; /* live from here */
    uint64_t ones[FR_MAX_PARTS];
    uint64_t pad[4];
    uint64_t bit[];
};
_Static_assert(sizeof(struct rlbsbf) == 320, "part of the format");

/* ---- Theory ----------------------------------------------------------- */

static void rlbsbf_law(const struct fr_parts *p, struct fr_parts_record *r)
{
    (void)p;
    r->stored = 1;
    r->resets = r->fresh * r->ones;
}

/* The paper's load is L = s y. */
static void rlbsbf_claim(const struct fr_parts *p, double t, double y,
                         double *up, double *down)
{
    (void)t;
    *up = (1 - pow(y, p->k)) / (double)p->s;
    *down = *up * y;
}

static const struct fr_parts_theory rlbsbf_theory = {
    .law = rlbsbf_law,
    .claim = rlbsbf_claim,
    .steady = "p^2 (1 - p^k) = 1 - p, and the survival of bits",
    .finite = "per-bit balance of rlbsbf along a uniform stream",
    .published = "Bera et al. Eq. 5.2",
};

/* ---- The filter ------------------------------------------------------- */

FR_PARTITIONED(rlbsbf)

/* Wrong counts would change the error rates for ever without notice. */
static bool rlbsbf_check_live(const void *state, size_t bytes)
{
    const struct rlbsbf *s = state;

    (void)bytes;
    for (uint32_t i = 0; i < FR_MAX_PARTS; i++)
        if (s->ones[i] !=
            (i < s->parts.k ? fr_parts_ones(&s->parts, s->bit, i) : 0))
            return false;
    return true;
}

/* Position and chance of a partition are two hashes of the same random
   number. */
static void rlbsbf_thin(struct rlbsbf *s, freshet_hash random)
{
    const struct fr_parts *p = &s->parts;

    for (uint32_t i = 0; i < p->k; i++) {
        uint64_t at = fr_parts_at(p, random, i);

        if (fr_cell_get(s->bit, at, 1) &&
            fr_reduce(fr_nth(random, p->k + i), p->s) < s->ones[i]) {
            fr_cell_decrement(s->bit, at, 1);
            s->ones[i]--;
        }
    }
}

static void rlbsbf_set(struct rlbsbf *s, freshet_hash key)
{
    for (uint32_t i = 0; i < s->parts.k; i++) {
        uint64_t at = fr_parts_at(&s->parts, key, i);

        s->ones[i] += !fr_cell_get(s->bit, at, 1);
        fr_cell_fill(s->bit, at, 1);
    }
}

static uint8_t rlbsbf_step(struct rlbsbf *s, freshet_hash key)
{
    uint64_t n = s->draws++;

    if (rlbsbf_probe(s, key) == FRESHET_SEEN)
        return FRESHET_SEEN;
    rlbsbf_thin(s, fr_parts_random(&s->parts, n));
    rlbsbf_set(s, key);
    return FRESHET_NEW;
}

static void rlbsbf_touch(const struct rlbsbf *s, freshet_hash key,
                         uint64_t ahead)
{
    fr_parts_touch(&s->parts, s->bit, key);
    fr_parts_touch(&s->parts, s->bit,
                   fr_parts_random(&s->parts, s->draws + ahead));
}

FR_BATCHED(rlbsbf)

const struct fr_algo fr_rlbsbf = {
    .about = {.name = "rlbsbf",
              .title = "load balanced biased sampling Bloom filter",
              .paper = "Bera et al., 2012",
              .can = FRESHET_CAN_PROMISE},
    .id = FR_ID('r', 'l', 'b', '1'),
    .params = fr_parts_params,
    .head = offsetof(struct rlbsbf, draws),
    .base = sizeof(struct rlbsbf),
    .plan = rlbsbf_plan,
    .check = rlbsbf_check,
    .check_live = rlbsbf_check_live,
    .offer = rlbsbf_offer,
    .query = rlbsbf_query,
    .inspect = rlbsbf_inspect,
    .expect = rlbsbf_expect,
};
