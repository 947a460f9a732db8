/*
 * shuffled.c - each key once, and draws from them, in random order
 *
 * The stream of the tables of Bera et al. and Dutta et al.: D keys once each
 * and N - D uniform draws from these D, shuffled.  It has exactly D different
 * keys.  uniform.c has D of them on average, and fewer keys that come once.
 *
 * A shuffle needs no array.  All orders of the remaining records are equally
 * likely, so the next one is one of the b remaining base copies with
 * probability b / (records left), else a draw.  Base copies come in the order
 * of key_order.h: a draw is uniform over the D keys, so their order does not
 * change the distribution.  A key may be drawn before its base copy comes, so
 * finding the repeats takes a bit for each key (truth.c).
 */
#include <math.h>

#include "dice.h"
#include "key_order.h"
#include "kind.h"

#define MOST (UINT64_C(1) << 60) /* records */

struct shuffled {
    uint64_t places, draws; /* seeds */
    uint64_t records;
    uint64_t shown; /* base copies that have come */
    struct key_order order;
};

/* Returns D, or 0 and sets *why. */
static uint64_t keys_of(const struct gen_params *p, struct fault *why)
{
    uint64_t keys;

    if (isnan(p->distinct)) {
        fault_set(why, "shuffled needs distinct=P, as in 15%%");
        return 0;
    }
    if (p->records == 0) {
        fault_set(why,
                  "shuffled needs records=N: it shuffles a stream that ends");
        return 0;
    }
    if (p->records > MOST) {
        fault_set(why, "shuffled has at most 2^60 records");
        return 0;
    }
    keys = (uint64_t)(p->distinct * (double)p->records + 0.5);
    if (keys == 0)
        fault_set(why, "distinct=%g%% of %llu records is less than one key",
                  100 * p->distinct, (unsigned long long)p->records);
    return keys < p->records ? keys : p->records;
}

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct shuffled *s = state;
    uint64_t keys = keys_of(p, why);

    if (keys == 0)
        return -1;
    s->places = dice_seed(p->seed, 0);
    s->draws = dice_seed(p->seed, 2);
    s->records = p->records;
    key_order_start(&s->order, keys, p->seed);
    about->universe = keys;
    about->distinct = (double)keys;
    return 0;
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    struct shuffled s = *(struct shuffled *)state;

    (void)repeat; /* truth.c finds the repeats by a bitmap */
    for (size_t i = 0; i < n; i++) {
        uint64_t at = first + i, keys = s.order.universe;
        uint64_t place = dice_below(dice_at(s.places, at), s.records - at);
        uint64_t drawn = dice_below(dice_at(s.draws, at), keys);
        bool base = place < keys - s.shown;

        key[i] = key_order_at(&s.order, base ? s.shown : drawn);
        s.shown += base;
    }
    ((struct shuffled *)state)->shown = s.shown;
}

const struct gen_kind gen_shuffled = {
    .name = "shuffled",
    .summary =
        "each key once and draws from them, shuffled, as in published tables",
    .takes = "distinct",
    .size = sizeof(struct shuffled),
    .start = start,
    .next = next,
};
