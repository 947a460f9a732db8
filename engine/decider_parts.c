/*
 * decider_parts.c - a decider with a filter of this process, for several
 * threads
 *
 * The filter is split into parts (freshet.h, "One filter, many threads").  Each
 * part gets its keys in the order of the stream, so that verdicts and the
 * filter's bytes are those of decider_local.c.
 */
#include "decider.h"

#include <stdlib.h>

struct by_parts {
    struct decider base;
    freshet *filter;
    freshet_parts *parts;
    uint64_t submitted; /* number of keys submitted */
};

static void route(const struct decider *d, struct decision *b)
{
    const struct by_parts *p = (const struct by_parts *)d;

    freshet_route(p->parts, b->hash, b->n, b->sorted, b->by_part,
                  b->part_start);
}

static void submit(struct decider *d, struct decision *b)
{
    struct by_parts *p = (struct by_parts *)d;

    b->first = p->submitted;
    p->submitted += b->n;
}

/* Returns the end of the part's keys, from the given one on, that come before
   this key of the decision. */
static size_t keys_before(const struct decision *b, unsigned part, size_t from,
                          size_t key)
{
    size_t low = from, high = b->part_start[part + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (b->by_part[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Every part must be told of the same times, even where it has no keys.  If
 * keys have times of their own, a run of keys ends where a generation of the
 * filter does, and the clock is set to the first and the last time of the run.
 */
static void decide_part(struct decider *d, struct decision *b, unsigned part)
{
    freshet_parts *parts = ((struct by_parts *)d)->parts;
    size_t from = b->part_start[part], to;

    freshet_tick_part(parts, part, b->first, b->now);
    for (size_t key = 0, end; key < b->n; key = end, from = to) {
        end = b->n;
        if (b->time) {
            end = key + freshet_turn_at(parts, b->time + key, b->n - key);
            freshet_tick_part(parts, part, b->first, b->time[key]);
        }
        to = keys_before(b, part, from, end);
        freshet_offer_part(parts, part, b->sorted + from, b->by_part + from,
                           to - from, b->part_verdict + from);
        if (b->time)
            freshet_tick_part(parts, part, b->first, b->time[end - 1]);
    }
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    (void)d, (void)why;
    for (size_t i = 0; i < b->n; i++)
        b->verdict[b->by_part[i]] = b->part_verdict[i];
    return true;
}

static void rest(struct decider *d)
{
    freshet_join(((struct by_parts *)d)->parts);
}

static bool undo(struct decider *d, freshet_hash key, enum verdict verdict)
{
    freshet *filter = ((struct by_parts *)d)->filter;

    return verdict != VERDICT_NEW || freshet_forget_batch(filter, &key, 1) >= 0;
}

static void info(struct decider *d, freshet_info *out)
{
    freshet_get_info(((struct by_parts *)d)->filter, out);
}

static void close_parts(struct decider *d)
{
    freshet_parts_free(((struct by_parts *)d)->parts);
    free(d);
}

static const struct decider_type parts_type = {
    .name = "parts",
    .submit = submit,
    .collect = collect,
    .route = route,
    .decide_part = decide_part,
    .rest = rest,
    .undo = undo,
    .info = info,
    .close = close_parts,
};

struct decider *decider_parts(freshet *filter, unsigned parts)
{
    struct by_parts *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    if (parts > FRESHET_MOST_PARTS)
        parts = FRESHET_MOST_PARTS;
    p->base = (struct decider){.type = &parts_type,
                               .hasher.size = sizeof p->base.hasher};
    p->filter = filter;
    if (freshet_split(&p->parts, filter, parts, NULL) < 0) {
        free(p);
        return NULL;
    }
    freshet_hasher_of(filter, &p->base.hasher);
    p->base.parts = freshet_parts_count(p->parts);
    if (p->base.parts > 1)
        return &p->base;
    close_parts(&p->base); /* the filter is too small */
    return NULL;
}
