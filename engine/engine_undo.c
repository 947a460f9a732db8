/*
 * engine_undo.c - undoes the decisions on records that were not written
 */
#include "engine_internal.h"

/* Returns the index of the first record that was not written. */
static size_t first_unwritten(const struct engine *e, const struct window *w,
                              uint64_t written)
{
    const struct output_mode *mode = e->config.output->mode;
    uint64_t end = 0;
    size_t i = 0;

    while (i < w->n && (end += output_bytes(mode, w->verdict[i],
                                            w->chunk.record[i].len)) <= written)
        i++;
    return i;
}

/* Undoes the last decision first, so that each is undone in the state that it
   left. */
static bool undo_window(struct engine *e, const struct window *w,
                        uint64_t written)
{
    struct decider *d = e->config.decider;
    const struct decision *b = &w->keys.decision;
    size_t from = first_unwritten(e, w, written);

    for (size_t key = b->n; key-- > 0;) {
        enum verdict verdict = (enum verdict)b->verdict[key];

        if (window_record_of(w, key) < from)
            return true;
        if (verdict != VERDICT_NEW && verdict != VERDICT_FIRST_REPEAT)
            continue;
        if (!d->type->undo || !d->type->undo(d, b->hash[key], verdict))
            return false;
    }
    return true;
}

/* Decides windows that were submitted when the flow stopped.  Returns how many
   windows are decided and not written. */
static size_t decide_submitted(struct engine *e)
{
    struct slot *s;
    unsigned done;
    size_t n = 0;

    for (; (s = flow_unfinished(e->flow, n, &done)); n++) {
        if (done < STEP_DECIDE)
            return n;
        for (unsigned part = 0; done == STEP_DECIDE && part < engine_lanes(e);
             part++)
            if (!flow_has_passed(e->flow, n, part))
                engine_decide(e, s, part);
        if (done <= STEP_COMPACT)
            engine_collect_verdicts(e, &s->window);
    }
    return n;
}

/* The oldest window was written in part, the later ones were not.  If repeats
   are written as well, it is unknown how many of them were. */
bool engine_undo_unwritten(struct engine *e)
{
    const struct output *o = e->config.output;
    unsigned done;
    size_t n;

    if (o->dup.fd >= 0)
        return false;
    n = decide_submitted(e);
    engine_rest_decider(e);
    while (n-- > 0) {
        const struct slot *s = flow_unfinished(e->flow, n, &done);

        if (!undo_window(e, &s->window,
                         n ? 0 : o->out.written - e->window_start))
            return false;
    }
    return true;
}
