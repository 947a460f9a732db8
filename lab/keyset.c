/*
 * keyset.c - finds exactly which records are repeats, for any keys
 */
#include "keyset.h"

#include <stdbool.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

enum { TABLES = 256, FIRST = 64, AHEAD = 16 };

/* Linear probing; a slot of zeros is free. */
struct table {
    freshet_hash *slot;
    uint64_t slots, used;
};

struct keyset {
    uint64_t bytes;
    bool zero; /* the key that is equal to a free slot was added */
    struct table table[TABLES];
};

struct keyset *keyset_create(void)
{
    struct keyset *s = calloc(1, sizeof *s);

    if (s)
        s->bytes = sizeof *s;
    return s;
}

void keyset_free(struct keyset *s)
{
    for (int i = 0; s && i < TABLES; i++)
        free(s->table[i].slot);
    free(s);
}

uint64_t keyset_bytes(const struct keyset *s)
{
    return s->bytes;
}

/* After growing a table is half full, and has two slots per key; while it grows
   the old one exists, too. */
uint64_t keyset_most_bytes(uint64_t keys)
{
    return sizeof(struct keyset) +
           (TABLES * FIRST + (keys + keys / TABLES) * 2) * sizeof(freshet_hash);
}

static bool is_zero(freshet_hash key)
{
    return !(key.lo | key.hi);
}

static struct table *table_of(struct keyset *s, freshet_hash key)
{
    return &s->table[key.lo >> 56];
}

/* The eight bits that choose the table do not influence the slot. */
static uint64_t home_of(const struct table *t, freshet_hash key)
{
    return (uint64_t)((u128)(key.lo << 8) * t->slots >> 64);
}

/* Returns the slot of a key, or the free slot where it belongs. */
static freshet_hash *find(const struct table *t, freshet_hash key)
{
    uint64_t i = home_of(t, key);

    while (!is_zero(t->slot[i]) &&
           (t->slot[i].lo != key.lo || t->slot[i].hi != key.hi))
        i = i + 1 == t->slots ? 0 : i + 1;
    return &t->slot[i];
}

/* Returns false, and changes nothing, if there is no memory. */
static bool grow(struct keyset *s, struct table *t)
{
    struct table larger = {.slots = t->slots ? t->slots + t->slots / 2 : FIRST,
                           .used = t->used};

    larger.slot = calloc(larger.slots, sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (uint64_t i = 0; i < t->slots; i++)
        if (!is_zero(t->slot[i]))
            *find(&larger, t->slot[i]) = t->slot[i];
    s->bytes += (larger.slots - t->slots) * sizeof *t->slot;
    free(t->slot);
    *t = larger;
    return true;
}

/* Returns 1 if the key was there, 0 if it was added, -1 if there is no
   memory. */
static int add(struct keyset *s, freshet_hash key)
{
    struct table *t = table_of(s, key);
    freshet_hash *slot;
    bool was = s->zero;

    if (is_zero(key)) {
        s->zero = true;
        return was;
    }
    if (t->used >= t->slots / 4 * 3 && !grow(s, t))
        return -1;
    slot = find(t, key);
    if (!is_zero(*slot))
        return 1;
    *slot = key;
    t->used++;
    return 0;
}

static void fetch(struct keyset *s, freshet_hash key)
{
    const struct table *t = table_of(s, key);

    if (t->slots)
        __builtin_prefetch(&t->slot[home_of(t, key)], 1);
}

size_t keyset_add(struct keyset *s, const freshet_hash *key, uint8_t *repeat,
                  size_t n)
{
    size_t repeats = 0;

    for (size_t i = 0; i < n; i++) {
        int was;

        if (i + AHEAD < n)
            fetch(s, key[i + AHEAD]);
        was = add(s, key[i]);
        if (was < 0)
            return KEYSET_FULL;
        repeat[i] = (uint8_t)was;
        repeats += repeat[i];
    }
    return repeats;
}
