/*
 * decider_local.c - verdicts on a batch, from the filter here or from one
 * elsewhere
 */
#include "decider_local.h"

#include <inttypes.h>

#include "command.h"

enum { AT_HAND = 256 }; /* keys whose places in the filter stay in the cache */

/* Its clock is the filter's: time, or else records that were compared. */
static void check(struct pipeline *p, const struct batch *b)
{
    uint64_t before = p->counts.fresh + p->counts.repeats;

    for (size_t i = 0; i < b->keys; i++)
        audit_record(p->audit, b->hash[i], b->seen[i],
                     event_time_is_set(&p->rules.time) ? b->time[i]
                     : p->timed                        ? p->now
                                                       : before + i);
}

/* Keys from one to another; how many are new. */
static size_t offer(const struct pipeline *p, freshet *f, struct batch *b,
                    size_t from, size_t to)
{
    if (p->ask_only)
        return freshet_query_batch(f, b->hash + from, to - from,
                                   b->seen + from);
    return freshet_offer_batch(f, b->hash + from, to - from, b->seen + from);
}

/*
 * Each at its own time, those of one time at once.  Asking for many first has
 * no effect but that the filter's memory is at hand when each is offered.
 */
static size_t offer_timed(const struct pipeline *p, freshet *f, struct batch *b,
                          size_t n)
{
    size_t fresh = 0;

    for (size_t from = 0, to, asked = 0; from < n; from = to) {
        if (from >= asked) {
            size_t many = n - from < AT_HAND ? n - from : AT_HAND;

            freshet_query_batch(f, b->hash + from, many, b->seen + from);
            asked = from + many;
        }
        for (to = from + 1; to < n && b->time[to] == b->time[from];)
            to++;
        freshet_tick(f, b->time[from]);
        fresh += offer(p, f, b, from, to);
    }
    return fresh;
}

size_t decide_keys(const struct pipeline *p, freshet *f, struct batch *b,
                   size_t n)
{
    return event_time_is_set(&p->rules.time) ? offer_timed(p, f, b, n)
                                             : offer(p, f, b, 0, n);
}

static void count(struct counts *counts, const struct batch *b, size_t fresh,
                  size_t unasked)
{
    counts->fresh += fresh;
    counts->repeats += b->keys - fresh - unasked;
    counts->unasked += unasked;
    counts->passed += b->passed + unasked;
    counts->dropped += b->dropped;
    counts->malformed += b->malformed;
}

/* The filter is here. */
static void decide_here(struct pipeline *p, struct batch *b)
{
    size_t fresh = decide_keys(p, p->filter, b, b->keys);

    for (size_t i = 0; i < b->keys; i++)
        b->verdict[b->of[i]] = b->seen[i];
    if (p->audit)
        check(p, b);
    count(&p->counts, b, fresh, 0);
}

void decide_ask(struct pipeline *p, struct batch *b)
{
    redis_ask(p->remote, b->hash, b->keys);
    b->asked = true;
}

static uint64_t records_written(const struct pipeline *p)
{
    const struct counts *c = &p->counts;

    switch (p->show) {
    case SHOW_NEW:
        return c->fresh + c->passed;
    case SHOW_REPEATS:
        return c->repeats + p->header_shown;
    case SHOW_ALL:
        return c->fresh + c->repeats + c->passed;
    case SHOW_REPEATED:
    case SHOW_NOTHING:
        break;
    }
    return 0;
}

/* It is elsewhere. */
static bool decide_there(struct pipeline *p, struct batch *b)
{
    size_t fresh = 0, unasked = 0;
    struct fault why;

    if (!b->asked)
        decide_ask(p, b);
    b->asked = false;
    if (!redis_hear(p->remote, b->seen, &why)) {
        cli_fail("%s; stopped, with %" PRIu64 " records written", why.text,
                 records_written(p));
        return false;
    }
    for (size_t i = 0; i < b->keys; i++) {
        bool unknown = b->seen[i] == REDIS_UNKNOWN;

        b->verdict[b->of[i]] = unknown ? VERDICT_PASSED : b->seen[i];
        fresh += b->seen[i] == FRESHET_NEW;
        unasked += unknown;
    }
    count(&p->counts, b, fresh, unasked);
    return true;
}

bool decide(struct pipeline *p, struct batch *b)
{
    if (p->remote)
        return decide_there(p, b);
    decide_here(p, b);
    return true;
}
