/*
 * attack.c - keys crafted against a filter whose seed is known
 *
 * Filters choose the place of a key by its hash.  Who knows the seed can look
 * for keys whose hashes begin alike, and crowds all of them into one small part
 * of the filter: what is remembered there is forgotten at once.  As in endless
 * there are repeats, which then pass as new; against any other seed the keys
 * are as good as random, and the filter works.
 *
 * The i-th key is the first of its own range of numbers that fits.
 */
#include "decimal.h"
#include "freshet.h"
#include "planted.h"

enum {
    MOST_BITS = 24,
    SPARE = 6, /* a range is 2^6 times what it takes on average */
};

struct attack {
    struct planted planted;
    freshet *victim; /* of the seed that is known: hashes only */
    unsigned bits;
    bool text;
};

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    freshet_options o = {.size = sizeof o, .memory = 1 << 16};
    struct attack *s = state;
    freshet_error err;

    if (p->against == 0) {
        fault_set(why, "attack needs against=N, the seed that the filter has");
        return -1;
    }
    if (p->bits > MOST_BITS) {
        fault_set(why, "bits must be 1 to %d", MOST_BITS);
        return -1;
    }
    if (planted_start(&s->planted, p, about, why) < 0)
        return -1;
    about->universe = 0; /* keys are far above their number */
    o.seed = p->against;
    if (freshet_create(&s->victim, &o, &err) < 0) {
        fault_set(why, "%s", err.message);
        return -1;
    }
    s->bits = (unsigned)p->bits;
    s->text = p->text;
    return 0;
}

/* As the filter will hash it: 8 bytes, or the digits of a line. */
static freshet_hash hash_of(const struct attack *s, uint64_t key)
{
    char bytes[DECIMAL];
    size_t len = 8;

    if (s->text)
        len = decimal_put(bytes, key);
    else
        for (int i = 0; i < 8; i++)
            bytes[i] = (char)(key >> 8 * i);
    return freshet_hash_key(s->victim, bytes, len);
}

/* In 2^-92 of the cases, none of a range fits: then its last is as good. */
static uint64_t craft(const struct attack *s, uint64_t i)
{
    uint64_t key = i << (s->bits + SPARE);
    uint64_t last = key + (UINT64_C(1) << (s->bits + SPARE)) - 1;

    while (key < last && hash_of(s, key).hi >> (64 - s->bits))
        key++;
    return key;
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    const struct attack *s = state;

    planted_next(state, first, key, repeat, n);
    for (size_t i = 0; i < n; i++)
        key[i] = craft(s, key[i]);
}

static void stop(void *state)
{
    freshet_free(((struct attack *)state)->victim);
}

const struct gen_kind gen_attack = {
    .name = "attack",
    .summary = "as endless, keys crafted against a filter whose seed is known",
    .takes = "against bits repeats gap shape least",
    .size = sizeof(struct attack),
    .start = start,
    .next = next,
    .stop = stop,
};
