/*
 * filter_keys.c - gives the keys of a decision to a filter
 */
#include "filter_keys.h"

#include <string.h>

enum { AT_HAND = 256 }; /* keys whose cells stay in the cache */

static void filter_run(freshet *f, enum decider_operation operation,
                       const struct decision *b, size_t from, size_t to)
{
    const freshet_hash *hash = b->hash + from;
    uint8_t *verdict = b->verdict + from;

    switch (operation) {
    case DECIDER_OFFER:
        freshet_offer_batch(f, hash, to - from, verdict);
        break;
    case DECIDER_QUERY:
        freshet_query_batch(f, hash, to - from, verdict);
        break;
    case DECIDER_REMEMBER:
        freshet_remember_batch(f, hash, to - from);
        memset(verdict, VERDICT_NEW, to - from);
        break;
    }
}

/* Returns the end of the keys that have the same time and operation as the
   first. */
static size_t run_end(const struct decision *b, size_t from)
{
    size_t to = from + 1;

    while (to < b->n && (!b->time || b->time[to] == b->time[from]) &&
           (!b->operation || b->operation[to] == b->operation[from]))
        to++;
    return to;
}

/*
 * Processes runs of keys with equal time and operation.  Querying many keys
 * first only brings the filter's memory into the cache.
 */
static void filter_runs(freshet *f, enum decider_operation operation,
                        const struct decision *b)
{
    for (size_t from = 0, to, asked = 0; from < b->n; from = to) {
        if (from >= asked) {
            size_t many = b->n - from < AT_HAND ? b->n - from : AT_HAND;

            filter_run(f, DECIDER_QUERY, b, from, from + many);
            asked = from + many;
        }
        to = run_end(b, from);
        if (b->time)
            freshet_tick(f, b->time[from]);
        if (b->operation)
            operation = (enum decider_operation)b->operation[from];
        filter_run(f, operation, b, from, to);
    }
}

void filter_keys(freshet *f, enum decider_operation operation,
                 const struct decision *b)
{
    if (b->now)
        freshet_tick(f, b->now);
    if (b->time || b->operation)
        filter_runs(f, operation, b);
    else
        filter_run(f, operation, b, 0, b->n);
}
