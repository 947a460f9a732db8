/*
 * undo_log.c - keys that were decided, but whose records are not written yet
 */
#include "undo_log.h"

#include <stdlib.h>

struct undo_log_entry {
    freshet *filter;
    freshet_hash key;
    uint64_t end;
};

void undo_log_free(struct undo_log *l)
{
    free(l->entry);
}

static bool grow(struct undo_log *l)
{
    size_t size = l->size ? 2 * l->size : 1024;
    struct undo_log_entry *bigger = realloc(l->entry, size * sizeof *bigger);

    if (!bigger)
        return false;
    l->entry = bigger;
    l->size = size;
    return true;
}

void undo_log_add(struct undo_log *l, freshet *f, freshet_hash key,
                  uint64_t end)
{
    if (l->n == l->size && !grow(l))
        l->torn = true;
    else
        l->entry[l->n++] = (struct undo_log_entry){f, key, end};
}

void undo_log_settle(struct undo_log *l, uint64_t end)
{
    for (size_t i = l->n; i && l->entry[i - 1].end == UNDO_LOG_LATER; i--)
        l->entry[i - 1].end = end;
}

void undo_log_clear(struct undo_log *l)
{
    l->n = 0;
    l->torn = false;
}

/* The last one first: each is undone as if it had never been. */
bool undo_log_take_back(struct undo_log *l, uint64_t written)
{
    if (!l->kept || l->torn)
        return false;
    for (; l->n && l->entry[l->n - 1].end > written; l->n--) {
        struct undo_log_entry *e = &l->entry[l->n - 1];

        if (freshet_forget_batch(e->filter, &e->key, 1) < 0)
            return false;
    }
    return true;
}
