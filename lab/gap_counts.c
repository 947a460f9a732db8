/*
 * gap_counts.c - counts the distances of repeats of recorded keys
 *
 * Records are sorted by key, so that those of one key are neighbours.
 */
#include "gap_counts.h"

#include <math.h>
#include <stdlib.h>

struct place {
    uint64_t key, record;
    uint64_t fresh; /* new keys up to this record */
};

/* Repeats whose spans differ by at most a tenth. */
struct bin {
    double repeats, gaps, spans;
};

static int compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->record < b->record ? -1 : a->record > b->record;
}

static void find_places(struct place *place, const struct input_keys *keys)
{
    uint64_t fresh = 0;

    for (uint64_t i = 0; i < keys->records; i++) {
        fresh += !keys->repeat[i];
        place[i] = (struct place){keys->hash[i].lo, i, fresh};
    }
    qsort(place, keys->records, sizeof *place, compare);
}

static void count(struct bin *bin, const struct place *place, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++) {
        double span = (double)(place[i].record - place[i - 1].record);
        struct bin *b;

        if (place[i].key != place[i - 1].key)
            continue;
        b = &bin[(size_t)(8 * log2(span))];
        b->repeats++;
        b->spans += span;
        b->gaps += (double)(place[i].fresh - place[i - 1].fresh);
    }
}

bool gap_counts_make(struct gap_counts *to, const struct input_keys *keys)
{
    struct place *place = calloc(keys->records + 1, sizeof *place);
    struct bin bin[GAP_COUNTS] = {0};

    *to = (struct gap_counts){0};
    if (!place)
        return false;
    find_places(place, keys);
    count(bin, place, keys->records);
    free(place);
    for (size_t i = 0; i < GAP_COUNTS; i++)
        if (bin[i].repeats > 0)
            to->gap[to->n++] = (freshet_gap){
                .gap = (uint64_t)(bin[i].gaps / bin[i].repeats + 0.5),
                .span = (uint64_t)(bin[i].spans / bin[i].repeats + 0.5),
                .share = bin[i].repeats,
            };
    return true;
}
