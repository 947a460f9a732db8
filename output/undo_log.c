/*
 * undo_log.c - keys that were decided, but whose records are not written yet
 */
#include "undo_log.h"

#include <stdlib.h>

#include "array.h"

struct undo_log_entry {
    freshet_hash key;
    unsigned verdict;
    uint64_t end;
};

void undo_log_free(struct undo_log *l)
{
    free(l->entry);
}

static bool grow(struct undo_log *l)
{
    struct undo_log_entry *entry =
        array_reserve(l->entry, &l->size, l->n + 1024, sizeof *entry);

    if (entry)
        l->entry = entry;
    return entry;
}

void undo_log_add(struct undo_log *l, freshet_hash key, unsigned verdict,
                  uint64_t end)
{
    if (l->n == l->size && !grow(l))
        l->torn = true;
    else
        l->entry[l->n++] = (struct undo_log_entry){key, verdict, end};
}

void undo_log_clear(struct undo_log *l)
{
    l->n = 0;
    l->torn = false;
}

/* The last one first: each is undone as if it had never been. */
bool undo_log_roll_back(struct undo_log *l, uint64_t written,
                        undo_log_undo *undo, void *context)
{
    if (!l->kept || l->torn)
        return false;
    for (; l->n && l->entry[l->n - 1].end > written; l->n--) {
        const struct undo_log_entry *e = &l->entry[l->n - 1];

        if (!undo(context, e->key, e->verdict))
            return false;
    }
    return true;
}
