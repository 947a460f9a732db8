/*
 * undo_log.c - keys that were decided, but whose records are not written yet
 */
#include "undo_log.h"

#include <stdlib.h>

struct ledger_entry {
    freshet *filter;
    freshet_hash key;
    uint64_t end;
};

void ledger_free(struct ledger *l)
{
    free(l->entry);
}

static bool grow(struct ledger *l)
{
    size_t size = l->size ? 2 * l->size : 1024;
    struct ledger_entry *bigger = realloc(l->entry, size * sizeof *bigger);

    if (!bigger)
        return false;
    l->entry = bigger;
    l->size = size;
    return true;
}

void ledger_add(struct ledger *l, freshet *f, freshet_hash key, uint64_t end)
{
    if (l->n == l->size && !grow(l))
        l->torn = true;
    else
        l->entry[l->n++] = (struct ledger_entry){f, key, end};
}

void ledger_settle(struct ledger *l, uint64_t end)
{
    for (size_t i = l->n; i && l->entry[i - 1].end == LEDGER_LATER; i--)
        l->entry[i - 1].end = end;
}

void ledger_clear(struct ledger *l)
{
    l->n = 0;
    l->torn = false;
}

/* The last one first: each is undone as if it had never been. */
bool ledger_take_back(struct ledger *l, uint64_t written)
{
    if (!l->kept || l->torn)
        return false;
    for (; l->n && l->entry[l->n - 1].end > written; l->n--) {
        struct ledger_entry *e = &l->entry[l->n - 1];

        if (freshet_forget_batch(e->filter, &e->key, 1) < 0)
            return false;
    }
    return true;
}
