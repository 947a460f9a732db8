/*
 * pocket_parts.c - a pocket filter as a whole and in parts
 *
 * A key's lines are all in one group, so a part is a range of groups.  The
 * loops of a path run within one generation, so a batch is divided where a
 * generation ends.  The generation of a window of records follows from the
 * number of records of the whole stream before a key, so each part finds the
 * same ends.
 */
#include "parts/batched.h"
#include "pocket_line.h"

size_t fr_pocket_offer(const struct fr_pocket_path *path, struct pocket *s,
                       const freshet_hash *keys, size_t n, uint8_t *seen)
{
    struct fr_pocket_range all = {0, s->lines};
    size_t fresh = 0;

    for (size_t m; n; keys += m, seen += m, n -= m) {
        uint64_t room = fr_pocket_room(s, &s->live);

        m = n < room ? n : room;
        fresh += path->offer(s, &s->live, keys, m, seen);
        fr_pocket_pass(s, &s->live, all, m);
    }
    s->live.pushed += fresh;
    return fresh;
}

/* ---- Parts ------------------------------------------------------------ */

static uint64_t pocket_groups(const void *state)
{
    const struct pocket *s = state;

    return fr_place_of(s, s->choices).groups;
}

static uint64_t pocket_group(const struct pocket *s, freshet_hash key,
                             uint64_t groups)
{
    (void)s;
    return fr_reduce(key.hi, groups);
}

FR_ROUTE(pocket)

static struct fr_pocket_live *live_of(struct fr_part *part)
{
    return (struct fr_pocket_live *)part->live;
}

static struct fr_pocket_range range_of(const struct pocket *s,
                                       const struct fr_part *part)
{
    uint64_t group = s->choices == 1 ? 1 : s->group;

    return (struct fr_pocket_range){part->first * group, part->end * group};
}

static void pocket_begin(const void *state, struct fr_part *part)
{
    const struct pocket *s = state;
    struct fr_pocket_live *live = live_of(part);

    *live = s->live;
    live->pushed = live->taken = live->forgotten = 0;
}

static void tick_part(void *state, struct fr_part *part, uint64_t now)
{
    fr_pocket_tick(state, live_of(part), range_of(state, part), now);
}

/* Moves the part's clock on by all records before this one. */
static void pass_to(const struct pocket *s, struct fr_part *part,
                    uint64_t record)
{
    if (record <= part->record)
        return;
    fr_pocket_pass(s, live_of(part), range_of(s, part), record - part->record);
    part->record = record;
}

/*
 * Returns the end of the keys, from the given one on, that belong to one
 * generation, and moves the part's clock into it.  each is 1 if every key is a
 * record of its own.
 */
static size_t same_generation(const struct pocket *s, struct fr_part *part,
                              const uint32_t *at, size_t from, size_t n,
                              unsigned each)
{
    uint64_t end;

    if (!s->length || s->timed)
        return n;
    pass_to(s, part, part->base + (at ? at[from] : from * each));
    end = part->record + fr_pocket_room(s, live_of(part));
    do
        from++;
    while (from < n && part->base + (at ? at[from] : from * each) < end);
    return from;
}

static size_t offer_part(void *state, struct fr_part *part,
                         const freshet_hash *keys, const uint32_t *at, size_t n,
                         uint8_t *seen)
{
    struct fr_pocket_live *live = live_of(part);
    size_t fresh = 0;

    for (size_t from = 0, to; from < n; from = to) {
        to = same_generation(state, part, at, from, n, 1);
        fresh += fr_pocket_paths()[0]->offer(state, live, keys + from,
                                             to - from, seen + from);
    }
    live->pushed += fresh;
    return fresh;
}

static size_t query_part(void *state, struct fr_part *part,
                         const freshet_hash *keys, const uint32_t *at, size_t n,
                         uint8_t *seen)
{
    size_t fresh = 0;

    for (size_t from = 0, to; from < n; from = to) {
        to = same_generation(state, part, at, from, n, 0);
        fresh += fr_pocket_paths()[0]->query(state, live_of(part), keys + from,
                                             to - from, seen + from);
    }
    return fresh;
}

static size_t forget_part(void *state, struct fr_part *part,
                          const freshet_hash *keys, const uint32_t *at,
                          size_t n)
{
    size_t gone = 0;

    for (size_t from = 0, to; from < n; from = to) {
        to = same_generation(state, part, at, from, n, 0);
        for (size_t i = from; i < to; i++)
            gone += fr_pocket_forget(state, live_of(part), keys[i]);
    }
    return gone;
}

static void join(void *state, struct fr_part *part, uint64_t records)
{
    struct pocket *s = state;
    struct fr_pocket_live *all = &s->live, *live = live_of(part);

    pass_to(s, part, records);
    live->pushed += all->pushed;
    live->taken += all->taken;
    live->forgotten += all->forgotten;
    if (live->generation < all->generation) {
        /* Another part may have a later clock: the latest one counts. */
        live->generation = all->generation;
        live->epoch = all->epoch;
        live->within = all->within;
        live->hand = all->hand;
    }
    *all = *live;
}

static uint64_t turn(const void *state, uint64_t now)
{
    return fr_pocket_turn(state, now);
}

const struct fr_split fr_pocket_split = {
    .groups = pocket_groups,
    .route = pocket_route,
    .is_ordered = true,
    .begin = pocket_begin,
    .offer = offer_part,
    .query = query_part,
    .join = join,
    .tick = tick_part,
    .turn = turn,
    .forget = forget_part,
};
