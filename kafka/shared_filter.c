/*
 * shared_filter.c - one filter for all partitions and for other processes
 */
#include "shared_filter.h"

#include <string.h>

#include "array.h"

bool shared_asked(struct shared_filter *s, size_t keys,
                  const struct arrivals *arrivals, struct fault *why)
{
    struct asked_keys *more;

    if (!s->decider || !keys)
        return true;
    if (s->first && s->first + s->n == s->room) {
        memmove(s->asked, s->asked + s->first, s->n * sizeof *s->asked);
        s->first = 0;
    }
    more = array_reserve(s->asked, &s->room, s->first + s->n + 1, sizeof *more);
    if (!more)
        return fault_set(why, "no memory for keys that were asked about");
    s->asked = more;
    more += s->first + s->n++;
    *more = (struct asked_keys){keys, arrivals, {0, 0}};
    for (int i = 0; arrivals && i < OUTPUTS; i++)
        more->sent[i] = arrivals[i].sent;
    return true;
}

static bool has_arrived(const struct asked_keys *a)
{
    for (int i = 0; a->arrivals && i < OUTPUTS; i++)
        if (a->arrivals[i].arrived < a->sent[i])
            return false;
    return true;
}

void shared_remember(struct shared_filter *s)
{
    uint64_t keys = 0;

    while (s->n && has_arrived(&s->asked[s->first])) {
        keys += s->asked[s->first++].keys;
        s->n--;
    }
    if (keys)
        s->decider->type->written(s->decider, keys);
}

bool shared_finish(struct shared_filter *s, struct fault *why)
{
    if (!s->decider)
        return true;
    shared_remember(s);
    return s->decider->type->finish(s->decider, why);
}

void shared_close(struct shared_filter *s)
{
    decider_close(s->decider);
    free(s->asked);
    *s = (struct shared_filter){0};
}
