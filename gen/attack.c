/*
 * attack.c - keys crafted against a filter whose seed is known
 *
 * A filter places a key by its hash.  An attacker who knows the seed can search
 * for keys whose hashes begin with the same bits; all of them fall into one
 * small part of the filter, which forgets them at once.  The stream has repeats
 * as endless has, and these repeats pass as new.  Against any other seed the
 * keys are as good as random.
 *
 * The i-th key is the first number of the i-th range whose hash begins with
 * enough zeros.
 */
#include "decimal.h"
#include "freshet.h"
#include "planted.h"

enum {
    MOST_BITS = 24,
    SPARE = 6, /* a range is 2^6 times as long as an average search */
};

struct attack {
    struct planted planted;
    freshet_hasher hasher; /* that of the filter */
    unsigned bits;
    bool text;
};

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct attack *s = state;
    freshet_error err;

    if (p->against == 0) {
        fault_set(why, "attack needs against=N, the seed of the filter");
        return -1;
    }
    if (p->bits > MOST_BITS) {
        fault_set(why, "bits must be 1 to %d", MOST_BITS);
        return -1;
    }
    if (planted_start(&s->planted, p, about, why) < 0)
        return -1;
    about->universe = 0; /* crafted keys are large numbers: no useful bound */
    s->hasher = (freshet_hasher){.size = sizeof s->hasher, .key = {p->against}};
    if (freshet_hasher_init(&s->hasher, &err) < 0) {
        fault_set(why, "%s", err.message);
        return -1;
    }
    s->bits = (unsigned)p->bits;
    s->text = p->text;
    return 0;
}

/* Hashes a key as the filter will: 8 bytes, or the digits of a line. */
static freshet_hash hash_of(const struct attack *s, uint64_t key)
{
    char bytes[DECIMAL];
    size_t len = 8;

    if (s->text)
        len = decimal_put(bytes, key);
    else
        for (int i = 0; i < 8; i++)
            bytes[i] = (char)(key >> 8 * i);
    return freshet_hash_with(&s->hasher, bytes, len);
}

/* Returns the i-th crafted key.  With probability 2^-92 no key of a range fits;
   the last one is returned then. */
static uint64_t crafted_key(const struct attack *s, uint64_t i)
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
        key[i] = crafted_key(s, key[i]);
}

const struct gen_kind gen_attack = {
    .name = "attack",
    .summary =
        "like endless, with keys crafted against a filter of a known seed",
    .takes = "against bits repeats gap shape least",
    .size = sizeof(struct attack),
    .start = start,
    .next = next,
};
