/*
 * tail.c - messages that the output got after the state was saved
 */
#include "tail.h"

#include <stdlib.h>

#include "array.h"

bool tail_add(struct tail *t, const struct tail_entry *entry)
{
    struct tail_entry *more = t->n < UINT32_MAX / 2
                                  ? array_add(t->entry, t->n, sizeof *t->entry)
                                  : NULL;

    if (!more)
        return false;
    t->entry = more;
    t->entry[t->n++] = *entry;
    t->left++;
    return true;
}

/* Entries of equal identity stand in their order, each in the next slot that
   was free. */
bool tail_index(struct tail *t)
{
    size_t slots = 2;

    while (slots < 2 * t->n)
        slots *= 2;
    t->mask = slots - 1;
    t->slot = calloc(slots, sizeof *t->slot);
    if (!t->slot)
        return false;
    for (size_t i = 0; i < t->n; i++) {
        size_t at = t->entry[i].identity.lo & t->mask;

        while (t->slot[at])
            at = (at + 1) & t->mask;
        t->slot[at] = (uint32_t)i + 1;
    }
    return true;
}

static bool is_same(freshet_hash a, freshet_hash b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

bool tail_take(struct tail *t, freshet_hash identity)
{
    if (!t->left)
        return false;
    for (size_t at = identity.lo & t->mask; t->slot[at];
         at = (at + 1) & t->mask) {
        struct tail_entry *entry = &t->entry[t->slot[at] - 1];

        if (!entry->taken && is_same(entry->identity, identity)) {
            entry->taken = true;
            t->left--;
            return true;
        }
    }
    return false;
}

const struct tail_entry *tail_first(struct tail *t)
{
    while (t->first < t->n && t->entry[t->first].taken)
        t->first++;
    return t->first < t->n ? &t->entry[t->first] : NULL;
}

void tail_free(struct tail *t)
{
    free(t->entry);
    free(t->slot);
    *t = (struct tail){0};
}
