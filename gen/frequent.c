/*
 * frequent.c - frequent keys among new ones, as in Deng and Rafiei's streams
 */
#include "frequent.h"

#include <stdlib.h>
#include <string.h>

#include "bitmap.h"

/* -ln of the smallest dice_real() is 53 ln 2 = 36.74. */
#define FARTHEST 37

/*
 * Returns the expected number of different frequent keys in n draws: the sum
 * over keys k of 1 - (1 - q_k)^n, computed for groups of keys to be quick.
 */
static double expected(double mean, double draws)
{
    double keys = FARTHEST * mean + 1;
    double step = keys > 4096 ? keys / 4096 : 1, sum = 0;

    for (double k = 0; k < keys; k += step) {
        double middle = (k + (step - 1) / 2) / mean;
        double q = -real_expm1(-1 / mean) * real_exp(-middle);

        sum -= step * real_expm1(q < 1 ? draws * real_log1p(-q) : -draws);
    }
    return sum;
}

int frequent_start(struct frequent *s, const struct gen_params *p, double share,
                   struct gen_about *about, struct fault *why)
{
    if (!(p->mean >= 0.01 && p->mean <= 1e8)) {
        fault_set(why, "mean must be 0.01 to 1e8, not %g", p->mean);
        return -1;
    }
    tables_fill(&s->tables);
    s->picks = dice_seed(p->seed, 1);
    s->mean = p->mean;
    s->end = (uint64_t)(FARTHEST * p->mean) + 1;
    s->seen = calloc(s->end / 64 + 1, 8); /* pages stay untouched */
    if (!s->seen) {
        fault_set(why, "no memory for a bit per frequent key: choose a smaller "
                       "mean");
        return -1;
    }
    about->knows_truth = true;
    if (p->records) {
        double n = (double)p->records;

        about->universe = s->end + p->records;
        about->distinct = n * (1 - share) + expected(p->mean, n * share);
    }
    return 0;
}

/* The frequent records are listed first: a branch on the random number would be
   mispredicted too often. */
void frequent_next(struct frequent *s, struct frequent_coin coin,
                   uint64_t first, uint64_t *key, uint8_t *repeat, size_t n)
{
    uint16_t list[FREQUENT_CHUNK];
    size_t listed = 0;

    for (size_t i = 0; i < n; i++) {
        key[i] = s->end + first + i;
        list[listed] = (uint16_t)i;
        listed += dice_at(coin.seed, first + i) < coin.bound;
    }
    for (size_t k = 0; k < listed; k++) {
        /* It takes the list for empty: numbers are written up to listed.
           NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        double random = dice_real(dice_at(s->picks, first + list[k]));

        key[list[k]] =
            (uint64_t)(int64_t)(-tables_log(&s->tables, random) * s->mean);
    }
    if (!repeat)
        return;
    memset(repeat, 0, n);
    for (size_t k = 0; k < listed; k++)
        repeat[list[k]] = bitmap_mark(s->seen, key[list[k]]);
}

void frequent_stop(struct frequent *s)
{
    free(s->seen);
}
