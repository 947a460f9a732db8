/*
 * ranks.c - the k-th of n as often as 1 / k^s
 */
#include "ranks.h"

#include "real.h"

#define MOST     (UINT64_C(1) << 50)
#define STEEPEST 10

/* x^-s */
static double weight(double s, double x)
{
    return real_exp(-s * real_log(x));
}

/* A block's weight if all its ranks had that of the first. */
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
 * Walker's aliases: each block has an equal part of the dice, and what a light
 * one does not need of it goes to a heavy one.
 */
static void lay_aliases(struct ranks *r)
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
                         : "universe=N is missing: how many keys there are");
        return -1;
    }
    if (!(s >= 0 && s <= STEEPEST)) {
        fault_set(why, "exponent must be 0 to %d, not %g", STEEPEST, s);
        return -1;
    }
    r->n = n;
    r->s = s;
    lay_blocks(r);
    lay_aliases(r);
    return 0;
}

bool ranks_accept(const struct ranks *r, const struct ranks_block *b,
                  uint64_t k, uint64_t coin)
{
    double ratio = (double)(b->first + k) / (double)b->first;

    return coin < dice_bound(weight(r->s, ratio));
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
