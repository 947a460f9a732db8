/*
 * bsbf.c - biased sampling Bloom filter
 *
 * S. K. Bera, S. Dutta, A. Narang and S. Bhattacherjee, "Advanced Bloom filter
 * based algorithms for efficient approximate data de-duplication in streams",
 * 2012, section 4.
 *
 * k partitions of s bits.  A key is seen when its k bits are all set.  Only a
 * key called new changes the filter: one random bit in each partition is reset,
 * then its own k bits are set.
 *
 * The printed Algorithm 2 has DISTINCT and DUPLICATE swapped in its test; the
 * text has it right, and we follow the text.
 *
 * The paper proves that the filter fills up and finally forgets nothing, but
 * its sum counts setting a bit that is already set as a gain.  In fact a record
 * of an endless stream sets a zero bit with chance 1 - p and resets one with
 * chance p (1 - p^k), where p is the share of ones; the two are equal at p +
 * p^2 + ... + p^k = 1.  That is 38 % false drops with k = 2.
 */
#include <math.h>

#include "parts/partitions.h"

struct bsbf {
    struct fr_parts parts;
    uint64_t draws; /* live from here */
    uint64_t pad[4];
    uint64_t bit[];
};
_Static_assert(sizeof(struct bsbf) == 64, "part of the format");

/* ---- Theory ----------------------------------------------------------- */

static void bsbf_law(const struct fr_parts *p, struct fr_parts_record *r)
{
    (void)p;
    r->stored = 1;
    r->resets = r->fresh;
}

static void bsbf_claim(const struct fr_parts *p, double t, double y, double *up,
                       double *down)
{
    (void)t;
    *up = *down = (1 - pow(y, p->k)) / (double)p->s;
}

static const struct fr_parts_theory bsbf_theory = {
    .law = bsbf_law,
    .claim = bsbf_claim,
    .steady = "p + p^2 + ... + p^k = 1, and the survival of bits",
    .finite = "per-bit balance of bsbf along a uniform stream",
    .published = "Bera et al. Eq. 4.3",
};

/* ---- The filter ------------------------------------------------------- */

FR_PARTITIONED(bsbf)

static uint8_t bsbf_step(struct bsbf *s, freshet_hash key)
{
    uint64_t n = s->draws++;

    if (bsbf_probe(s, key) == FRESHET_SEEN)
        return FRESHET_SEEN;
    fr_parts_reset(&s->parts, s->bit, fr_parts_random(&s->parts, n));
    fr_parts_set(&s->parts, s->bit, key);
    return FRESHET_NEW;
}

static void bsbf_touch(const struct bsbf *s, freshet_hash key, uint64_t ahead)
{
    fr_parts_touch(&s->parts, s->bit, key);
    fr_parts_touch(&s->parts, s->bit,
                   fr_parts_random(&s->parts, s->draws + ahead));
}

FR_BATCHED(bsbf)

const struct fr_algo fr_bsbf = {
    .about = {.name = "bsbf",
              .title = "biased sampling Bloom filter",
              .paper = "Bera et al., 2012",
              .can = FRESHET_CAN_PROMISE},
    .id = FR_ID('b', 's', 'b', '1'),
    .params = fr_parts_params,
    .head = offsetof(struct bsbf, draws),
    .base = sizeof(struct bsbf),
    .plan = bsbf_plan,
    .check = bsbf_check,
    .offer = bsbf_offer,
    .query = bsbf_query,
    .inspect = bsbf_inspect,
    .expect = bsbf_expect,
};
