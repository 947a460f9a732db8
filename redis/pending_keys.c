/*
 * pending_keys.c - a set of hashes that is added to and taken from
 *
 * Open addressing with linear probing; a removal moves later hashes back, so
 * that no marks are left behind.
 */
#include "pending_keys.h"

#include <stdlib.h>

enum { LEAST = 1 << 10 };

static bool is_zero(freshet_hash hash)
{
    return hash.lo == 0 && hash.hi == 0;
}

static bool are_equal(freshet_hash a, freshet_hash b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

/* Returns where a hash is, or where it would be added. */
static size_t find(const struct pending_keys *set, freshet_hash hash)
{
    size_t i = hash.lo & (set->size - 1);

    while (!is_zero(set->slot[i]) && !are_equal(set->slot[i], hash))
        i = (i + 1) & (set->size - 1);
    return i;
}

bool pending_keys_have(const struct pending_keys *set, freshet_hash hash)
{
    if (is_zero(hash))
        return set->has_zero;
    return set->size && !is_zero(set->slot[find(set, hash)]);
}

static bool grow(struct pending_keys *set)
{
    struct pending_keys larger = {.size = set->size ? 2 * set->size : LEAST,
                                  .n = set->n,
                                  .has_zero = set->has_zero};

    larger.slot = calloc(larger.size, sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < set->size; i++)
        if (!is_zero(set->slot[i]))
            larger.slot[find(&larger, set->slot[i])] = set->slot[i];
    free(set->slot);
    *set = larger;
    return true;
}

bool pending_keys_add(struct pending_keys *set, freshet_hash hash)
{
    size_t i;

    if (is_zero(hash)) {
        set->has_zero = true;
        return true;
    }
    if (2 * (set->n + 1) > set->size && !grow(set))
        return false;
    i = find(set, hash);
    set->n += is_zero(set->slot[i]);
    set->slot[i] = hash;
    return true;
}

void pending_keys_remove(struct pending_keys *set, freshet_hash hash)
{
    size_t mask = set->size - 1, hole, i;

    if (is_zero(hash))
        set->has_zero = false;
    if (is_zero(hash) || !pending_keys_have(set, hash))
        return;
    hole = i = find(set, hash);
    set->n--;
    for (;;) {
        i = (i + 1) & mask;
        if (is_zero(set->slot[i]))
            break;
        /* It may move back to the hole unless it begins behind that. */
        if (((i - set->slot[i].lo) & mask) >= ((i - hole) & mask)) {
            set->slot[hole] = set->slot[i];
            hole = i;
        }
    }
    set->slot[hole] = (freshet_hash){0, 0};
}

void pending_keys_free(struct pending_keys *set)
{
    free(set->slot);
    *set = (struct pending_keys){0};
}
