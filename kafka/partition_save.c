/*
 * partition_save.c - saves the state file of a partition during the run
 */
#include <inttypes.h>
#include <stdio.h>

#include "partition.h"

/* Returns the offsets to save.  Messages that are left in the tail must be
   found there again after a crash. */
static struct offsets offsets_now(struct partition *p)
{
    struct offsets now = p->offsets;

    for (int i = 0; i < OUTPUTS; i++) {
        const struct tail_entry *first = tail_first(&p->tail[i]);

        if (first)
            now.end[i] = first->offset;
    }
    return now;
}

/* Asks for the end of an output if a broker did not report the offset of a
   message. */
static bool learn_ends(struct partition *p, struct fault *why)
{
    struct kafka *k = p->k;
    int64_t low, high;

    for (int i = 0; k->producer.offset_unknown && i < OUTPUTS; i++) {
        if (!k->topic[i])
            continue;
        if (!topic_ends(&k->reader, kafka_topic_name(k, i), p->number, &low,
                        &high, why))
            return false;
        if (high > p->offsets.end[i])
            p->offsets.end[i] = high;
    }
    return true;
}

/* Writes the offsets into the notes of the next save. */
static bool note_offsets(struct partition *p, struct fault *why)
{
    struct key_note *notes = &p->state.notes;
    char text[80];

    if (!learn_ends(p, why))
        return false;
    p->kept = offsets_now(p);
    snprintf(text, sizeof text, "%" PRId64 " %" PRId64 " %" PRId64,
             p->kept.next, p->kept.end[OUT], p->kept.end[DUP]);
    notes->len = p->notes;
    return !p->state.path || key_note_add(notes, NOTE_PLACE, text) ||
           fault_set(why, "%s: its notes are too long", p->path);
}

bool partition_save(struct partition *p, struct fault *why)
{
    if (!partition_reap(p, true, why) || !note_offsets(p, why))
        return false;
    if (p->state.path && !state_save(&p->state, why))
        return false;
    p->saved = p->kept.next;
    p->is_kept = true;
    return true;
}

bool partition_checkpoint(struct partition *p, struct fault *why)
{
    if (p->is_saving || p->saved == p->offsets.next)
        return true;
    if (!note_offsets(p, why))
        return false;
    if (p->state.path && !state_checkpoint(&p->state, why))
        return false;
    p->saved = p->kept.next;
    p->is_saving = p->state.path;
    p->is_kept = !p->state.path;
    return true;
}

bool partition_reap(struct partition *p, bool wait, struct fault *why)
{
    if (!p->is_saving)
        return true;
    if (!state_reap(&p->state, wait, why)) {
        p->is_saving = false;
        p->saved = -1; /* it is due again */
        return false;
    }
    if (!p->state.child) {
        p->is_saving = false;
        p->is_kept = true;
    }
    return true;
}
