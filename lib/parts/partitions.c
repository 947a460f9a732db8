/*
 * partitions.c - common parts of the sampling Bloom filters of one family
 */
#include "partitions.h"

const freshet_parameter fr_parts_params[] = {
    [FR_PARTS_K] = {"k", 0, FR_MAX_PARTS, 2, 1, NULL,
                    "partitions; 0: from the rate"},
    {0},
};

/* ---- Layout ----------------------------------------------------------- */

size_t fr_parts_plan(struct fr_parts *p, const struct fr_goal *goal, uint32_t k,
                     size_t base)
{
    uint64_t words = (goal->bytes - base) / 8 / k;

    p->k = k;
    p->s = 64 * (words ? words : 1); /* too large, refused later */
    p->seed = goal->seed;
    return base + p->s / 8 * k;
}

bool fr_parts_check(const struct fr_parts *p, size_t cell_bytes)
{
    return p->k >= 1 && p->k <= FR_MAX_PARTS && !p->unused && p->s >= 64 &&
           p->s % 64 == 0 && cell_bytes % p->k == 0 &&
           p->s / 8 == cell_bytes / p->k;
}

uint64_t fr_parts_ones(const struct fr_parts *p, const uint64_t *bits,
                       uint32_t i)
{
    return fr_count_ones(bits + i * (p->s / 64), p->s / 64);
}

void fr_parts_inspect(const struct fr_parts *p, const uint64_t *bits,
                      freshet_info *info)
{
    info->slots = p->k * p->s;
    info->used = 0;
    info->false_drop = 1;
    for (uint32_t i = 0; i < p->k; i++) {
        uint64_t ones = fr_parts_ones(p, bits, i);

        info->used += ones;
        info->false_drop *= (double)ones / (double)p->s;
    }
}
