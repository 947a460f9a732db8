/*
 * audit_table.c - the table of drawn keys of an audit
 */
#include "audit_table.h"

#include <stdlib.h>

enum { LEAST = 64 };

bool audit_table_open(struct audit_table *t, uint64_t bytes)
{
    uint64_t slots = bytes / sizeof *t->slot;

    slots = slots < LEAST ? LEAST : slots;
    *t = (struct audit_table){.slots = slots};
    if (slots <= (SIZE_MAX / 2) / sizeof *t->slot)
        t->slot = calloc(slots, sizeof *t->slot);
    return t->slot != NULL;
}

void audit_table_close(struct audit_table *t)
{
    free(t->slot);
}

/* Returns the upper half of the name, scaled to the number of slots. */
static uint64_t home_of(const struct audit_table *t, uint64_t name)
{
    if (t->slots >> 32)
        return name % t->slots;
    return (name >> 32) * t->slots >> 32;
}

static uint64_t next_of(const struct audit_table *t, uint64_t i)
{
    return i + 1 == t->slots ? 0 : i + 1;
}

struct audit_slot *audit_table_find(const struct audit_table *t, uint64_t name)
{
    uint64_t i = home_of(t, name);

    while (t->slot[i].name && t->slot[i].name != name)
        i = next_of(t, i);
    return &t->slot[i];
}

void audit_table_add(struct audit_table *t, struct audit_slot *at,
                     uint64_t name)
{
    at->name = name;
    t->used++;
}

/* Returns the distance of slot i from the home of its name. */
static uint64_t offset_of(const struct audit_table *t, uint64_t i)
{
    uint64_t home = home_of(t, t->slot[i].name);

    return i >= home ? i - home : i + t->slots - home;
}

/* Moves later names of the same chain up. */
void audit_table_remove(struct audit_table *t, struct audit_slot *at)
{
    uint64_t hole = (uint64_t)(at - t->slot), gap = 1;

    for (uint64_t i = next_of(t, hole); t->slot[i].name;
         i = next_of(t, i), gap++)
        if (offset_of(t, i) >= gap) {
            t->slot[hole] = t->slot[i];
            hole = i;
            gap = 0;
        }
    t->slot[hole] = (struct audit_slot){0};
    t->used--;
}

bool audit_table_is_full(const struct audit_table *t)
{
    return t->used > t->slots / 4 * 3;
}

void audit_table_sweep(struct audit_table *t,
                       bool (*keep)(const void *context,
                                    const struct audit_slot *s),
                       const void *context)
{
    for (uint64_t i = 0; i < t->slots;) {
        struct audit_slot *s = &t->slot[i];

        if (s->name && !keep(context, s))
            audit_table_remove(t, s); /* examine the slot that took its place */
        else
            i++;
    }
}
