/*
 * partition_open.c - a partition becomes ours: its filter, and where to go on
 *
 * There is a state file, and the group has committed no later offset: the
 * filter is the saved one, the tail what the output got since then, and the
 * input goes on from the saved offset.
 *
 * The group has committed a later offset: another process had the partition
 * meanwhile.  The filter is the saved one and learns what the output got up to
 * the commit; the tail is what it got since then, and the input goes on from
 * the committed offset.
 *
 * There is no file: the same, with a filter that learns all that the output
 * has, as far as the window or the memory reaches; the input goes on from the
 * committed offset, or begins.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "duration.h"
#include "partition.h"

/* ---- The file --------------------------------------------------------- */

static bool make_notes(struct partition *p, struct fault *why)
{
    const struct kafka_config *c = p->k->config;
    const struct extractor *x = &c->extractor;
    struct key_note *notes = &p->state.notes;
    char from[320];
    bool fits;

    snprintf(from, sizeof from, "%s/%" PRId32 " by %s", c->from, p->number,
             c->by ? c->by : "value");
    fits = key_note_make(notes, x->key, '\n') &&
           (!p->k->within ||
            key_note_add(notes, NOTE_CLOCK,
                         event_time_is_set(&x->time) ? "event" : "message")) &&
           key_note_add(notes, NOTE_FROM, from) &&
           key_note_add(notes, NOTE_TO, c->to) &&
           key_note_add(notes, NOTE_GROUP, c->group ? c->group : "-");
    p->notes = notes->len;
    return fits || fault_set(why,
                             "%s: what the keys are is too long to be "
                             "saved",
                             p->path);
}

static bool name_file(struct partition *p, struct fault *why)
{
    const struct kafka_config *c = p->k->config;
    size_t size = strlen(c->state) + strlen(c->from) + 32;

    p->path = malloc(size);
    if (!p->path)
        return fault_set(why, "out of memory");
    snprintf(p->path, size, "%s/%s-%" PRId32 ".state", c->state, c->from,
             p->number);
    p->state.path = p->path;
    return true;
}

/* The last checkpoint of a process that was killed may still hold the lock for
   a moment. */
static bool open_file(struct partition *p, struct fault *why)
{
    struct goal_args wanted = p->k->config->goal;
    uint64_t until = clock_now() + UINT64_C(3000000000);
    bool fine;

    wanted.memory = wanted.memory ? p->k->share : 0;
    for (;;) {
        fine = state_open(&p->state, &wanted, (unsigned)p->k->partitions, why);
        if (fine || !p->state.file || p->state.lock >= 0 || clock_now() > until)
            return fine;
        state_close(&p->state);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
}

static bool read_place(struct place *place, struct view text)
{
    char copy[80];

    if (!text.at || text.len >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    return sscanf(copy, "%" SCNd64 " %" SCNd64 " %" SCNd64, &place->next,
                  &place->end[OUT], &place->end[DUP]) == 3;
}

static bool check_window(const struct partition *p, struct fault *why)
{
    freshet_info info = {.size = offsetof(freshet_info, slots)};
    char text[DURATION_TEXT];

    freshet_get_info(p->state.snapshot.filter, &info);
    return info.within == p->k->within ||
           fault_set(why,
                     "%s: was saved by a run with --within %s; give the "
                     "same, or use another folder",
                     p->path, duration_text(text, info.within));
}

/* Sets the place that the file has; next stays -1 if there is no file. */
static bool load(struct partition *p, struct place *saved, struct fault *why)
{
    if (!p->k->config->state)
        return true;
    if (!name_file(p, why) || !open_file(p, why) || !make_notes(p, why))
        return false;
    if (!p->state.snapshot.filter)
        return true;
    if (!state_check_notes(&p->state, why) || !check_window(p, why))
        return false;
    if (read_place(saved, key_note_line(&p->state.snapshot.notes, NOTE_PLACE)))
        return state_clock(&p->state,
                           event_time_latest(
                               p->k->config->extractor.time.max_skew),
                           &p->now, why);
    return fault_set(why,
                     "%s: was saved by no run of freshet kafka; use another "
                     "folder",
                     p->path);
}

/* ---- The filter ------------------------------------------------------- */

static bool make_filter(struct partition *p, struct fault *why)
{
    struct goal_args wanted = p->k->config->goal;
    struct goal goal;
    freshet_error err;

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
    p->decider = decider_local(p->filter, DECIDER_OFFER);
    if (!p->decider)
        return fault_set(why, "no memory to decide");
    if (p->state.path)
        state_hold(&p->state, p->filter, NULL);
    return true;
}

/* ---- What the output has ---------------------------------------------- */

static void be_lenient(struct kafka *k, bool lenient)
{
    k->batch.extractor = lenient ? &k->lenient : &k->config->extractor;
}

static bool take_known(void *context, rd_kafka_message_t **messages, size_t n,
                       struct fault *why)
{
    struct partition *p = context;
    struct message_batch *b = &p->k->batch;

    p->figures->rebuilt += n;
    return message_batch_extract(b, messages, n, &p->decider->hasher, why) &&
           message_batch_decide(b, p->decider, &p->now, DECIDER_REMEMBER, why);
}

struct tail_reading {
    struct partition *p;
    struct tail *tail;
    bool is_arrival; /* messages have no time of their own */
};

static bool take_tail(void *context, rd_kafka_message_t **messages, size_t n,
                      struct fault *why)
{
    struct tail_reading *g = context;
    struct message_batch *b = &g->p->k->batch;
    const struct window_keys *keys = &b->window.keys;
    const freshet_hasher *hasher = &g->p->decider->hasher;
    size_t key = 0;

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

static bool read_known(struct partition *p, int64_t from, int64_t to,
                       struct fault *why)
{
    struct kafka *k = p->k;
    struct topic_range range = {k->config->to, p->number, from, to,
                                take_known,    p};
    bool fine;

    be_lenient(k, true);
    fine = topic_read(&k->reader, &range, why);
    be_lenient(k, false);
    return fine;
}

/* Without times of their own messages cannot be decided as they were: keys in
   the tail are remembered before, at the time of reading. */
static bool read_tail(struct partition *p, int output, int64_t from, int64_t to,
                      struct fault *why)
{
    struct kafka *k = p->k;
    struct tail_reading g = {p, &p->tail[output], false};
    struct topic_range range =
        {kafka_topic_name(k, output), p->number, from, to, take_tail, &g};
    bool fine;

    be_lenient(k, true);
    fine = topic_read(&k->reader, &range, why);
    be_lenient(k, false);
    if (!fine ||
        (output == OUT && g.is_arrival && !read_known(p, from, to, why)))
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

/* Returns the offset from which the output can matter to the filter. */
static int64_t rebuild_from(struct partition *p, int64_t low, int64_t high)
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

/* ---- Where to go on --------------------------------------------------- */

/* Refuses a place behind the end of a topic: that is not the topic which the
   state was saved for. */
static bool check_end(const struct partition *p, const char *topic,
                      int64_t place, int64_t high, struct fault *why)
{
    if (place <= high)
        return true;
    return fault_set(why,
                     "%s%sthe saved offset %" PRId64 " of topic %s, partition "
                     "%" PRId32 " is behind its end %" PRId64 ": the topic was "
                     "truncated or made anew; use another folder, or remove "
                     "the state file and the group's offsets",
                     p->path ? p->path : "", p->path ? ": " : "", place, topic,
                     p->number, high);
}

/* Messages that were deleted before they were read are lost, and not by us. */
static void tell_gap(struct partition *p, int64_t low)
{
    const struct kafka_config *c = p->k->config;

    if (p->place.next >= low || p->place.next < 0)
        return;
    kafka_notice(p->k,
                 "warning: topic %s, partition %" PRId32 ": the messages from "
                 "offset %" PRId64 " to %" PRId64 " were deleted before they "
                 "were read",
                 c->from, p->number, p->place.next, low - 1);
    p->k->trouble = true;
}

static bool place_input(struct partition *p, struct fault *why)
{
    const struct kafka_config *c = p->k->config;
    int64_t low, high;

    if (!topic_ends(&p->k->reader, c->from, p->number, &low, &high, why) ||
        !check_end(p, c->from, p->place.next, high, why))
        return false;
    tell_gap(p, low);
    if (p->place.next < 0)
        p->place.next = settings_begin_late(c) ? high : low;
    else if (p->place.next < low)
        p->place.next = low;
    return true;
}

/* The place to go on from: that of the file, unless the group is ahead. */
static bool read_output(struct partition *p, const struct place *saved,
                        const struct place *committed, struct fault *why)
{
    const struct place *at =
        saved->next >= 0 && saved->next >= committed->next ? saved : committed;
    int64_t low, high, tail, known;

    if (!topic_ends(&p->k->reader, p->k->config->to, p->number, &low, &high,
                    why) ||
        !check_end(p, p->k->config->to, at->end[OUT], high, why))
        return false;
    p->place.next = at->next;
    p->place.end[OUT] = high;
    tail = at->next >= 0 && at->end[OUT] >= 0 ? at->end[OUT] : high;
    tail = tail > low ? tail : low;
    if (at == saved)
        known = tail;
    else if (saved->next >= 0)
        known = saved->end[OUT] > low ? saved->end[OUT] : low;
    else if (p->k->config->rebuild == KAFKA_REBUILD_NEVER)
        known = tail;
    else
        known = rebuild_from(p, low, high);
    return read_known(p, known, tail, why) &&
           read_tail(p, OUT, tail, high, why);
}

static bool read_dup(struct partition *p, const struct place *saved,
                     const struct place *committed, struct fault *why)
{
    const struct place *at =
        saved->next >= 0 && saved->next >= committed->next ? saved : committed;
    int64_t low, high, tail;

    p->place.end[DUP] = -1;
    if (!p->k->config->dup)
        return true;
    if (!topic_ends(&p->k->reader, p->k->config->dup, p->number, &low, &high,
                    why) ||
        !check_end(p, p->k->config->dup, at->end[DUP], high, why))
        return false;
    p->place.end[DUP] = high;
    tail = at->next >= 0 && at->end[DUP] >= 0 ? at->end[DUP] : high;
    return read_tail(p, DUP, tail > low ? tail : low, high, why);
}

/* A place that no file has yet is saved before anything is produced: otherwise
   a crash would find messages in the output, and not know since when. */
static bool save_first(struct partition *p, const struct place *saved,
                       struct fault *why)
{
    return saved->next >= 0 || partition_save(p, why);
}

static bool open_all(struct partition *p, const struct place *committed,
                     struct fault *why)
{
    struct place saved = {-1, {-1, -1}};

    return load(p, &saved, why) && make_filter(p, why) &&
           make_decider(p, why) && read_output(p, &saved, committed, why) &&
           read_dup(p, &saved, committed, why) && place_input(p, why) &&
           save_first(p, &saved, why);
}

struct partition *partition_open(struct kafka *k, int32_t number,
                                 const struct place *committed,
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
    decider_close(p->decider);
    if (p->filter != p->state.snapshot.filter)
        freshet_free(p->filter);
    state_close(&p->state);
    free(p->path);
    free(p);
}
