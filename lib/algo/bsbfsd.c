/*
 * bsbfsd.c - biased sampling Bloom filter with single deletion
 *
 * S. K. Bera, S. Dutta, A. Narang and S. Bhattacherjee, "Advanced Bloom
 * filter based algorithms for efficient approximate data de-duplication in
 * streams", 2012, section 4.2.
 *
 * As bsbf, but a key called new resets one bit in all: a random one of a
 * random partition.  (Algorithm 3 has the same two words swapped.)
 *
 * So little is forgotten that an endless stream fills the filter: a record
 * sets a zero bit of a partition with chance 1 - p and resets one with chance
 * p (1 - p^k) / k, which balance only at p + p^2 + ... + p^k = k, that is at
 * p = 1.  The share of zeros falls as 2s / ((k + 1) t), and in the end every
 * record is dropped.
 */
#include <math.h>

#include "parts/partitions.h"

struct bsbfsd {
    struct fr_parts parts;
    uint64_t draws; /* live from here */
    uint64_t pad[4];
    uint64_t bit[];
};
_Static_assert(sizeof(struct bsbfsd) == 64, "part of the format");

/* ---- Theory ----------------------------------------------------------- */

static void bsbfsd_law(const struct fr_parts *p, struct fr_parts_record *r)
{
    r->stored = 1;
    r->resets = r->fresh / p->k;
}

static void bsbfsd_claim(const struct fr_parts *p, double t, double y,
                         double *up, double *down)
{
    (void)t;
    *up = (1 - pow(y, p->k)) / (double)p->s;
    *down = *up / p->k;
}

static const struct fr_parts_theory bsbfsd_theory = {
    .law = bsbfsd_law,
    .claim = bsbfsd_claim,
    .steady = "p + p^2 + ... + p^k = k: the filter fills up",
    .finite = "per-bit balance of bsbfsd along a uniform stream",
    .published = "Bera et al. section 4.3, above Eq. 4.5",
};

/* No number of partitions keeps a rate: k has no automatic value. */
static const freshet_parameter bsbfsd_params[] = {
    [FR_PARTS_K] = {"k", 1, FR_MAX_PARTS, 2, 1, NULL, "partitions"},
    {0},
};

/* ---- The filter ------------------------------------------------------- */

FR_PARTITIONED(bsbfsd)

/* Returns the one bit that record n would reset. */
static uint64_t victim(const struct bsbfsd *s, uint64_t n)
{
    freshet_hash random = fr_parts_random(&s->parts, n);
    uint32_t i = (uint32_t)fr_reduce(fr_nth(random, 0), s->parts.k);

    return fr_parts_spot(&s->parts, random, i, 1);
}

static uint8_t bsbfsd_step(struct bsbfsd *s, freshet_hash key)
{
    uint64_t n = s->draws++;

    if (bsbfsd_probe(s, key) == FRESHET_SEEN)
        return FRESHET_SEEN;
    fr_cell_decrement(s->bit, victim(s, n), 1);
    fr_parts_set(&s->parts, s->bit, key);
    return FRESHET_NEW;
}

static void bsbfsd_touch(const struct bsbfsd *s, freshet_hash key,
                         uint64_t ahead)
{
    fr_parts_touch(&s->parts, s->bit, key);
    FR_PREFETCH(&s->bit[victim(s, s->draws + ahead) / 64]);
}

FR_BATCHED(bsbfsd)

const struct fr_algo fr_bsbfsd = {
    .about = {.name = "bsbfsd",
              .title = "biased sampling Bloom filter, single deletion",
              .paper = "Bera et al., 2012",
              .can = FRESHET_CAN_PROMISE},
    .id = FR_ID('b', 's', 'd', '1'),
    .params = bsbfsd_params,
    .head = offsetof(struct bsbfsd, draws),
    .base = sizeof(struct bsbfsd),
    .plan = bsbfsd_plan,
    .check = bsbfsd_check,
    .offer = bsbfsd_offer,
    .query = bsbfsd_query,
    .inspect = bsbfsd_inspect,
    .expect = bsbfsd_expect,
};
