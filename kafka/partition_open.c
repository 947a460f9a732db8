/*
 * partition_open.c - opens a partition: its filter, and the offsets to continue
 * from
 *
 * There is a state file, and the group has committed no later offset: the
 * filter is the saved one, the tail is what the output got since then, and the
 * input continues from the saved offset.
 *
 * The group has committed a later offset: another process had the partition
 * meanwhile.  The filter is the saved one and learns what the output got up to
 * the commit; the tail is what it got since then, and the input continues from
 * the committed offset.
 *
 * There is no file: the same, with a filter that learns all that the output
 * has, as far as the window or the memory reaches; the input continues from the
 * committed offset, or starts at its beginning.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "partition.h"

/* ---- The filter ------------------------------------------------------- */

static bool make_filter(struct partition *p, struct fault *why)
{
    struct goal_args wanted = p->k->config->goal;
    struct goal goal;
    freshet_error err;

    if (p->k->shared.decider)
        return true;
    wanted.memory = p->k->share;
    p->filter = p->state.snapshot.filter;
    if (p->filter)
        return true;
    if (!goal_from_args(&goal, &wanted, why))
        return false;
    return freshet_create(&p->filter, &goal.options, &err) >= 0 ||
           fault_set(why, "%s", err.message);
}

static bool make_decider(struct partition *p, struct fault *why)
{
    if (p->k->shared.decider) {
        p->decider = p->k->shared.decider;
        return true;
    }
    p->decider = decider_local(p->filter, DECIDER_OFFER);
    if (!p->decider)
        return fault_set(why, "no memory to decide");
    if (p->state.path)
        state_hold(&p->state, p->filter, NULL);
    return true;
}

/* ---- Offsets ---------------------------------------------------------- */

/* Refuses an offset after the end of a topic: it is not the topic that the
   state was saved for. */
static bool check_end(const struct partition *p, const char *topic,
                      int64_t offset, int64_t high, struct fault *why)
{
    if (offset <= high)
        return true;
    return fault_set(why,
                     "%s%sthe saved offset %" PRId64 " of topic %s, partition "
                     "%" PRId32 " is behind its end %" PRId64 ": the topic was "
                     "truncated or made anew; use another folder, or remove "
                     "the state file and the group's offsets",
                     p->path ? p->path : "", p->path ? ": " : "", offset, topic,
                     p->number, high);
}

/* Reports messages that the broker deleted before they were read. */
static void report_gap(struct partition *p, int64_t low)
{
    const struct kafka_config *c = p->k->config;

    if (p->offsets.next >= low || p->offsets.next < 0)
        return;
    kafka_notice(p->k,
                 "warning: topic %s, partition %" PRId32 ": the messages from "
                 "offset %" PRId64 " to %" PRId64 " were deleted before they "
                 "were read",
                 c->from, p->number, p->offsets.next, low - 1);
    p->k->trouble = true;
}

static bool place_input(struct partition *p, struct fault *why)
{
    const struct kafka_config *c = p->k->config;
    int64_t low, high;

    if (!topic_ends(&p->k->reader, c->from, p->number, &low, &high, why) ||
        !check_end(p, c->from, p->offsets.next, high, why))
        return false;
    report_gap(p, low);
    if (p->offsets.next < 0)
        p->offsets.next = settings_begin_late(c) ? high : low;
    else if (p->offsets.next < low)
        p->offsets.next = low;
    return true;
}

/* Reads what the output got since the saved or committed offsets: those of the
   file, unless the group is ahead. */
static bool read_output(struct partition *p, const struct offsets *saved,
                        const struct offsets *committed, struct fault *why)
{
    const struct offsets *at =
        saved->next >= 0 && saved->next >= committed->next ? saved : committed;
    int64_t low, high, tail, known;

    if (!topic_ends(&p->k->reader, p->k->config->to, p->number, &low, &high,
                    why) ||
        !check_end(p, p->k->config->to, at->end[OUT], high, why))
        return false;
    p->offsets.next = at->next;
    p->offsets.end[OUT] = high;
    tail = at->next >= 0 && at->end[OUT] >= 0 ? at->end[OUT] : high;
    tail = tail > low ? tail : low;
    if (at == saved)
        known = tail;
    else if (saved->next >= 0)
        known = saved->end[OUT] > low ? saved->end[OUT] : low;
    else if (!p->filter || p->k->config->rebuild == KAFKA_REBUILD_NEVER)
        known = tail;
    else
        known = partition_rebuild_from(p, low, high);
    return partition_read_output(p, known, tail, why) &&
           partition_read_tail(p, OUT, tail, high, why) &&
           (p->filter || partition_remember_tail(p, why));
}

static bool read_dup(struct partition *p, const struct offsets *saved,
                     const struct offsets *committed, struct fault *why)
{
    const struct offsets *at =
        saved->next >= 0 && saved->next >= committed->next ? saved : committed;
    int64_t low, high, tail;

    p->offsets.end[DUP] = -1;
    if (!p->k->config->dup)
        return true;
    if (!topic_ends(&p->k->reader, p->k->config->dup, p->number, &low, &high,
                    why) ||
        !check_end(p, p->k->config->dup, at->end[DUP], high, why))
        return false;
    p->offsets.end[DUP] = high;
    tail = at->next >= 0 && at->end[DUP] >= 0 ? at->end[DUP] : high;
    return partition_read_tail(p, DUP, tail > low ? tail : low, high, why);
}

/* Saves the offsets before anything is produced if no file has them: after a
   crash, messages in the output could not be told from older ones. */
static bool save_first(struct partition *p, const struct offsets *saved,
                       struct fault *why)
{
    return saved->next >= 0 || partition_save(p, why);
}

static bool open_all(struct partition *p, const struct offsets *committed,
                     struct fault *why)
{
    struct offsets saved = {-1, {-1, -1}};

    return partition_load(p, &saved, why) && make_filter(p, why) &&
           make_decider(p, why) && read_output(p, &saved, committed, why) &&
           read_dup(p, &saved, committed, why) && place_input(p, why) &&
           save_first(p, &saved, why);
}

struct partition *partition_open(struct kafka *k, int32_t number,
                                 const struct offsets *committed,
                                 struct fault *why)
{
    struct partition *p = calloc(1, sizeof *p);

    if (!p) {
        fault_set(why, "out of memory");
        return NULL;
    }
    p->k = k;
    p->number = number;
    p->figures = &k->figures[number];
    p->state.lock = -1;
    p->saved = -1;
    for (int i = 0; i < OUTPUTS; i++)
        p->arrivals[i].end = &p->offsets.end[i];
    if (!open_all(p, committed, why)) {
        partition_close(p);
        return NULL;
    }
    p->figures->assigned = true;
    return p;
}

void partition_close(struct partition *p)
{
    struct fault ignored;

    if (!p)
        return;
    p->figures->assigned = false;
    (void)partition_reap(p, true, &ignored);
    tail_free(&p->tail[OUT]);
    tail_free(&p->tail[DUP]);
    if (p->filter)
        decider_close(p->decider);
    if (p->filter != p->state.snapshot.filter)
        freshet_free(p->filter);
    state_close(&p->state);
    free(p->path);
    free(p);
}
