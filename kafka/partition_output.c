/*
 * partition_output.c - reads the output into the filter, or as the tail
 */
#include <math.h>

#include "clock.h"
#include "partition.h"

static void be_lenient(struct kafka *k, bool lenient)
{
    k->batch.extractor = lenient ? &k->lenient : &k->config->extractor;
}

/* Calls tick() between messages, since reading may take minutes. */
static void tick_while_reading(struct kafka *k)
{
    k->answered_at = clock_now();
    kafka_tick(k);
}

static bool remember_messages(void *context, rd_kafka_message_t **messages,
                              size_t n, struct fault *why)
{
    struct partition *p = context;
    struct message_batch *b = &p->k->batch;

    tick_while_reading(p->k);
    p->figures->rebuilt += n;
    return message_batch_extract(b, messages, n, &p->decider->hasher, why) &&
           message_batch_decide(b, p->decider, &p->now, DECIDER_REMEMBER, why);
}

struct tail_reading {
    struct partition *p;
    struct tail *tail;
    bool is_arrival; /* messages have no time of their own */
};

static bool add_to_tail(void *context, rd_kafka_message_t **messages, size_t n,
                        struct fault *why)
{
    struct tail_reading *g = context;
    struct message_batch *b = &g->p->k->batch;
    const struct window_keys *keys = &b->window.keys;
    const freshet_hasher *hasher = &g->p->decider->hasher;
    size_t key = 0;

    tick_while_reading(g->p->k);
    if (!message_batch_extract(b, messages, n, hasher, why))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct tail_entry e = {.identity =
                                   message_identity(messages[i], hasher),
                               .offset = messages[i]->offset};

        if (key < keys->decision.n &&
            b->message[window_record_of(&b->window, key)] == i) {
            e.keyed = true;
            e.key = keys->hash[key];
            e.time = b->timed ? keys->time[key] : 0;
            key++;
        }
        g->is_arrival |= b->timed && !message_batch_has_time(b, messages[i]);
        if (!tail_add(g->tail, &e))
            return fault_set(why, "no memory for what the output has got since "
                                  "the state was saved");
    }
    return true;
}

bool partition_read_output(struct partition *p, int64_t from, int64_t to,
                           struct fault *why)
{
    struct kafka *k = p->k;
    struct topic_range range = {k->config->to,     p->number, from, to,
                                remember_messages, p};
    bool fine;

    be_lenient(k, true);
    fine = topic_read(&k->reader, &range, why);
    be_lenient(k, false);
    return fine;
}

bool partition_read_tail(struct partition *p, int output, int64_t from,
                         int64_t to, struct fault *why)
{
    struct kafka *k = p->k;
    struct tail_reading g = {p, &p->tail[output], false};
    struct topic_range range =
        {kafka_topic_name(k, output), p->number, from, to, add_to_tail, &g};
    bool fine;

    be_lenient(k, true);
    fine = topic_read(&k->reader, &range, why);
    be_lenient(k, false);
    if (!fine || (output == OUT && g.is_arrival &&
                  !partition_read_output(p, from, to, why)))
        return false;
    return tail_index(g.tail) || fault_set(why, "no memory for the tail");
}

/* Returns how many messages of the output can matter, at most. */
static double reach(const struct partition *p)
{
    freshet_info info = {.size = offsetof(freshet_info, slots)};
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload endless = {.size = sizeof endless};

    freshet_get_info(p->filter, &info);
    if (info.window)
        return (double)info.window;
    if (freshet_expect(&rates, p->filter, &endless, NULL) < 0 ||
        !isfinite(rates.reach))
        return (double)INFINITY;
    return 2 * rates.reach;
}

int64_t partition_rebuild_from(struct partition *p, int64_t low, int64_t high)
{
    struct kafka *k = p->k;
    double most = reach(p);
    int64_t from = low, at;

    if ((double)(high - low) > most)
        from = high - (int64_t)most;
    if (!k->within)
        return from;
    at = topic_offset_at(&k->reader, k->config->to, p->number,
                         clock_wall() - k->within - k->within / 8);
    return at > from && at <= high ? at : from;
}
