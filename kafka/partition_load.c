/*
 * partition_load.c - finds, checks and loads the state file of a partition
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "duration.h"
#include "partition.h"

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
                             "%s: the options that choose the key are too long "
                             "to be saved",
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

static bool read_place(struct offsets *offsets, struct view text)
{
    char copy[80];

    if (!text.at || text.len >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    return sscanf(copy, "%" SCNd64 " %" SCNd64 " %" SCNd64, &offsets->next,
                  &offsets->end[OUT], &offsets->end[DUP]) == 3;
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

bool partition_load(struct partition *p, struct offsets *saved,
                    struct fault *why)
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
