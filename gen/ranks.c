/*
 * ranks.c - draws from a Zipf distribution
 */
#include "ranks.h"

#define MOST     (UINT64_C(1) << 50)
#define STEEPEST 10

/* Returns x^-s. */
static double weight(double s, double x)
{
    return real_exp(-s * real_log(x));
}

/* Returns a block's weight as if all its ranks had that of the first. */
static double hat(const struct ranks *r, const struct ranks_block *b)
{
    return (double)b->size * weight(r->s, (double)b->first);
}

static void lay_blocks(struct ranks *r)
{
    for (uint64_t k = 1; k <= r->n; r->blocks++) {
        struct ranks_block *b = &r->block[r->blocks];
        uint64_t size = 1 + k / 64, left = r->n - k + 1;

        b->first = k;
        b->size = size < left ? size : left;
        k += b->size;
        b->sure =
            b->size == 1
                ? UINT64_MAX
                : dice_bound(weight(r->s, (double)(k - 1) / (double)b->first));
    }
}

/*
 * Builds Walker's alias table: all blocks have equal parts of the random range,
 * and what a light block does not need of its part goes to a heavy one.
 */
static void build_aliases(struct ranks *r)
{
    double share[RANKS_BLOCKS], all = 0;
    uint64_t light[RANKS_BLOCKS], heavy[RANKS_BLOCKS];
    size_t lights = 0, heavies = 0;

    for (uint64_t i = 0; i < r->blocks; i++)
        all += share[i] = hat(r, &r->block[i]);
    for (uint64_t i = 0; i < r->blocks; i++) {
        share[i] *= (double)r->blocks / all;
        r->block[i].bound = UINT64_MAX;
        r->block[i].alias = i;
        if (share[i] < 1)
            light[lights++] = i;
        else
            heavy[heavies++] = i;
    }
    while (lights && heavies) {
        /* cppcheck-suppress uninitvar ; they were filled above */
        uint64_t from = light[--lights], to = heavy[heavies - 1];

        r->block[from].bound = dice_bound(share[from]);
        r->block[from].alias = to;
        share[to] -= 1 - share[from];
        if (share[to] < 1)
            light[lights++] = heavy[--heavies];
    }
}

int ranks_start(struct ranks *r, uint64_t n, double s, struct fault *why)
{
    if (n < 1 || n > MOST) {
        fault_set(why, n ? "universe must be at most 2^50"
                         : "give universe=N, the number of keys");
        return -1;
    }
    if (!(s >= 0 && s <= STEEPEST)) {
        fault_set(why, "exponent must be 0 to %d, not %g", STEEPEST, s);
        return -1;
    }
    r->n = n;
    r->s = s;
    tables_fill(&r->tables);
    lay_blocks(r);
    build_aliases(r);
    return 0;
}

/* ---- Drawing ---------------------------------------------------------- */

/* A rank of a block, and the random number that decides if it is accepted. */
struct draw {
    const struct ranks_block *block;
    uint64_t k, coin;
};

static inline struct draw draw(const struct ranks *r, uint64_t *random)
{
    dice_u128 wide = (dice_u128)*random * r->blocks;
    uint64_t at = (uint64_t)(wide >> 64);
    const struct ranks_block *b = &r->block[at];

    /* No branch: it would be mispredicted every other time. */
    at ^= (at ^ b->alias) & -(uint64_t)((uint64_t)wide >= b->bound);
    b = &r->block[at];
    *random = dice_mix(*random);
    wide = (dice_u128)*random * b->size;
    return (struct draw){b, (uint64_t)(wide >> 64), (uint64_t)wide};
}

static bool accept(const struct ranks *r, const struct draw *d)
{
    double first = (double)d->block->first;
    double log = tables_log(&r->tables, (first + (double)d->k) / first);

    return d->coin < dice_bound(tables_exp(&r->tables, -r->s * log));
}

static uint64_t draw_until_taken(const struct ranks *r, uint64_t random)
{
    struct draw d = draw(r, &random);

    while (d.coin >= d.block->sure && !accept(r, &d)) {
        random = dice_mix(random + 1);
        d = draw(r, &random);
    }
    return d.block->first - 1 + d.k;
}

enum { CHUNK = 256 };

/* Ranks that may be rejected are listed and finished later: a branch would be
   mispredicted too often. */
static void pick_chunk(const struct ranks *r, uint64_t seed, uint64_t first,
                       uint64_t *rank, size_t n)
{
    uint16_t list[CHUNK];
    size_t listed = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t random = dice_at(seed, first + i);
        struct draw d = draw(r, &random);

        rank[i] = d.block->first - 1 + d.k;
        list[listed] = (uint16_t)i;
        listed += d.coin >= d.block->sure;
    }
    for (size_t k = 0; k < listed; k++)
        rank[list[k]] = draw_until_taken(r, dice_at(seed, first + list[k]));
}

void ranks_pick(const struct ranks *r, uint64_t seed, uint64_t first,
                uint64_t *rank, size_t n)
{
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < CHUNK ? n - done : CHUNK;
        pick_chunk(r, seed, first + done, rank + done, part);
    }
}

/* Each rank of a block counts as the middle one. */
double ranks_distinct(const struct ranks *r, double draws)
{
    double all = 0, sum = 0;

    if (r->n == 1)
        return 1;
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < r->blocks; i++) {
            const struct ranks_block *b = &r->block[i];
            double middle = (double)b->first + (double)(b->size - 1) / 2;
            double p = weight(r->s, middle), size = (double)b->size;

            if (pass == 0)
                all += size * p;
            else
                sum -= size * real_expm1(draws * real_log1p(-p / all));
        }
    return sum;
}
