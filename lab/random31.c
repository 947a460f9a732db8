/*
 * random31.c - filters with random numbers of 31 bits, as C's rand() gives
 *
 * Keys have the same positions as in the correct filter; only random choices
 * differ.
 */
#include "random31.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"

enum { PARTS = 32, AHEAD = 8, DRAWS = 2 * PARTS };

struct random31 {
    const struct kind *kind;
    uint64_t range;   /* cells of sbf, bits of one partition of the others */
    uint64_t numbers; /* random positions are below it: 2^31, scaled */
    uint64_t seed, records;
    unsigned k, p;
    uint64_t ones[PARTS]; /* set bits of each partition */
    uint64_t words;
    uint64_t word[];
};

struct kind {
    const char *name;
    void (*touch)(const struct random31 *f, freshet_hash key, uint64_t record);
    uint8_t (*offer)(struct random31 *f, freshet_hash key, uint64_t record);
};

/* ---- Bits ------------------------------------------------------------- */

/* Returns draw j of a record, modulo the range: this is the flaw. */
static uint64_t random_place(const struct random31 *f, uint64_t record,
                             unsigned j)
{
    uint64_t random = dice_at(f->seed, record * DRAWS + j);

    return dice_below(random, f->numbers) % f->range;
}

static uint64_t place_of(const struct random31 *f, freshet_hash key, unsigned i)
{
    return dice_below(key.lo + i * key.hi, f->range);
}

static bool get(const struct random31 *f, uint64_t at)
{
    return f->word[at / 64] >> at % 64 & 1;
}

static void clear(struct random31 *f, uint64_t at)
{
    f->word[at / 64] &= ~(UINT64_C(1) << at % 64);
}

static void set(struct random31 *f, uint64_t at)
{
    f->word[at / 64] |= UINT64_C(1) << at % 64;
}

/* ---- sbf: one range for all k cells ----------------------------------- */

static void sbf_touch(const struct random31 *f, freshet_hash key,
                      uint64_t record)
{
    for (unsigned i = 0; i < f->k; i++)
        __builtin_prefetch(&f->word[place_of(f, key, i) / 64], 1);
    __builtin_prefetch(&f->word[random_place(f, record, 0) / 64], 1);
}

static uint8_t sbf_offer(struct random31 *f, freshet_hash key, uint64_t record)
{
    uint64_t at = random_place(f, record, 0);
    uint8_t seen = 1;

    for (unsigned i = 0; i < f->k; i++)
        seen &= get(f, place_of(f, key, i));
    for (unsigned i = 0; i < f->p; i++) {
        clear(f, at);
        at = at + 1 < f->range ? at + 1 : 0;
    }
    for (unsigned i = 0; i < f->k; i++)
        set(f, place_of(f, key, i));
    return seen;
}

/* ---- The others: k partitions ----------------------------------------- */

static uint64_t bit_of(const struct random31 *f, freshet_hash key, unsigned i)
{
    return i * f->range + place_of(f, key, i);
}

static uint64_t victim(const struct random31 *f, uint64_t record, unsigned i)
{
    return i * f->range + random_place(f, record, i);
}

static void bsbf_touch(const struct random31 *f, freshet_hash key,
                       uint64_t record)
{
    for (unsigned i = 0; i < f->k; i++) {
        __builtin_prefetch(&f->word[bit_of(f, key, i) / 64], 1);
        __builtin_prefetch(&f->word[victim(f, record, i) / 64], 1);
    }
}

static uint8_t probe(const struct random31 *f, freshet_hash key)
{
    for (unsigned i = 0; i < f->k; i++)
        if (!get(f, bit_of(f, key, i)))
            return 0;
    return 1;
}

static void store(struct random31 *f, freshet_hash key)
{
    for (unsigned i = 0; i < f->k; i++) {
        f->ones[i] += !get(f, bit_of(f, key, i));
        set(f, bit_of(f, key, i));
    }
}

static uint8_t bsbf_offer(struct random31 *f, freshet_hash key, uint64_t record)
{
    if (probe(f, key))
        return 1;
    for (unsigned i = 0; i < f->k; i++)
        clear(f, victim(f, record, i));
    store(f, key);
    return 0;
}

/* The partition of the bit to reset is random, too. */
static uint64_t single_victim(const struct random31 *f, uint64_t record)
{
    uint64_t random = dice_at(f->seed, record * DRAWS + PARTS);

    return dice_below(random, f->k) * f->range + random_place(f, record, 0);
}

static void bsbfsd_touch(const struct random31 *f, freshet_hash key,
                         uint64_t record)
{
    for (unsigned i = 0; i < f->k; i++)
        __builtin_prefetch(&f->word[bit_of(f, key, i) / 64], 1);
    __builtin_prefetch(&f->word[single_victim(f, record) / 64], 1);
}

static uint8_t bsbfsd_offer(struct random31 *f, freshet_hash key,
                            uint64_t record)
{
    if (probe(f, key))
        return 1;
    clear(f, single_victim(f, record));
    store(f, key);
    return 0;
}

/* A reset has the probability of the partition's load. */
static uint8_t rlbsbf_offer(struct random31 *f, freshet_hash key,
                            uint64_t record)
{
    if (probe(f, key))
        return 1;
    for (unsigned i = 0; i < f->k; i++) {
        uint64_t at = victim(f, record, i);
        uint64_t coin = dice_at(f->seed, record * DRAWS + PARTS + i);

        if (get(f, at) && dice_below(coin, f->range) < f->ones[i]) {
            clear(f, at);
            f->ones[i]--;
        }
    }
    store(f, key);
    return 0;
}

static const struct kind kinds[] = {
    {"sbf", sbf_touch, sbf_offer},
    {"bsbf", bsbf_touch, bsbf_offer},
    {"bsbfsd", bsbfsd_touch, bsbfsd_offer},
    {"rlbsbf", bsbf_touch, rlbsbf_offer},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Making one ------------------------------------------------------- */

bool random31_of(char *algorithm, unsigned *scale)
{
    for (size_t i = 0; i < KINDS; i++) {
        size_t len = strlen(kinds[i].name);
        int end = 0;

        if (strncmp(algorithm, kinds[i].name, len) != 0 ||
            strncmp(algorithm + len, "31", 2) != 0)
            continue;
        *scale = 1;
        if (algorithm[len + 2] != '\0' &&
            (sscanf(algorithm + len + 2, "/%u%n", scale, &end) != 1 ||
             algorithm[len + 2 + (size_t)end] != '\0' || *scale == 0))
            continue;
        algorithm[len] = '\0';
        return true;
    }
    return false;
}

uint64_t random31_memory(uint64_t bytes)
{
    return sizeof(struct random31) + bytes;
}

/* Reads k, and p of sbf, from the parameters of the correct filter. */
static bool read_params(struct random31 *f, const freshet_info *info)
{
    double p = 0;
    unsigned d = 1;

    if (strcmp(f->kind->name, "sbf") != 0) {
        f->range = info->slots;
        return sscanf(info->params, "k=%u", &f->k) == 1 && f->k >= 1 &&
               f->k <= PARTS && (f->range /= f->k) > 0;
    }
    f->range = info->slots;
    if (sscanf(info->params, "d=%u,k=%u,p=%lf", &d, &f->k, &p) != 3)
        return false;
    f->p = (unsigned)p;
    return d == 1 && f->k <= PARTS;
}

struct random31 *random31_create(const freshet *sound, unsigned scale,
                                 struct fault *why)
{
    freshet_info info = {.size = sizeof info};
    struct random31 *f;

    freshet_get_info(sound, &info);
    f = calloc(1, sizeof *f + info.slots / 8 + 8);
    if (!f) {
        fault_set(why, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, info.algorithm) == 0)
            f->kind = &kinds[i];
    f->words = info.slots / 64;
    f->numbers = (UINT64_C(1) << 31) / scale;
    f->seed = dice_seed(info.seed, 31);
    if (f->kind && read_params(f, &info))
        return f;
    fault_set(why, "%s31 needs cells of one bit, d=1", info.algorithm);
    free(f);
    return NULL;
}

void random31_free(struct random31 *f)
{
    free(f);
}

size_t random31_offer(struct random31 *f, const freshet_hash *key, size_t n,
                      uint8_t *seen)
{
    size_t fresh = 0;

    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            f->kind->touch(f, key[i + AHEAD], f->records + AHEAD);
        seen[i] = f->kind->offer(f, key[i], f->records++);
        fresh += !seen[i];
    }
    return fresh;
}

double random31_fill(const struct random31 *f)
{
    uint64_t ones = 0;

    for (uint64_t i = 0; i < f->words; i++)
        ones += (uint64_t)__builtin_popcountll(f->word[i]);
    return (double)ones / (double)(f->words * 64);
}
