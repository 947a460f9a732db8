/*
 * key_order.h - the keys of a universe, each once, in an order chosen by a seed
 *
 * Each key is the one before it plus a stride, modulo the size of the universe.
 * The stride and the size have no common divisor, so no key comes twice; a
 * stride near the golden section spreads the keys evenly.
 */
#ifndef GEN_KEY_ORDER_H
#define GEN_KEY_ORDER_H

#include "dice.h"

struct key_order {
    uint64_t universe, origin, stride;
    uint64_t turns; /* stride / universe, times 2^64 */
};

static inline void key_order_start(struct key_order *o, uint64_t universe,
                                   uint64_t seed)
{
    o->universe = universe;
    o->origin = dice_below(dice_seed(seed, 1), universe);
    o->stride = dice_below(UINT64_C(0x9e3779b97f4a7c15), universe);
    while (dice_common_divisor(o->stride, universe) != 1)
        o->stride++;
    o->turns = (uint64_t)(((dice_u128)o->stride << 64) / universe);
}

/*
 * Returns the key with a number below the size of the universe: (origin +
 * number) * stride, modulo that size, by Shoup's method without a division.
 */
static inline uint64_t key_order_at(const struct key_order *o, uint64_t number)
{
    uint64_t at = o->origin + number;
    uint64_t round = (uint64_t)((dice_u128)at * o->turns >> 64);
    uint64_t key = at * o->stride - round * o->universe;

    /* The estimate of the quotient is at most one too small. */
    return key - (o->universe & -(uint64_t)(key >= o->universe));
}

#endif
