/*
 * engine_steps.c - the steps of a window through the engine
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "engine_internal.h"
#include "signals.h"

/* ---- Prepare ---------------------------------------------------------- */

bool engine_load(struct engine *e, struct window *w)
{
    if (!e->in->type->load(e->in, &w->chunk, &w->why)) {
        window_fail(w, WINDOW_UNREAD);
        return false;
    }
    window_split(w, &e->in->framing);
    return true;
}

/* Implements rehash() of a decision: extracts the keys from the records
   again. */
static bool hash_again(void *context, const freshet_hasher *hasher)
{
    struct slot *s = context;
    struct decision *b = &s->window.keys.decision;
    uint64_t now = b->now;

    window_extract(&s->window, s->used, hasher);
    b->now = now;
    b->rehash = hash_again;
    b->rehash_context = s;
    return s->window.trouble != WINDOW_NO_MEMORY;
}

static void prepare(void *context, void *item, unsigned lane)
{
    struct engine *e = context;
    const struct decider *d = e->config.decider;
    struct slot *s = item;
    struct window *w = &s->window;

    (void)lane;
    if (w->trouble == WINDOW_UNREAD) /* when its header was read */
        return;
    if (!w->is_split && !engine_load(e, w))
        return;
    s->used = s->extractor.key ? &s->extractor : e->extractor;
    window_extract(w, s->used, &d->hasher);
    w->keys.decision.rehash = hash_again;
    w->keys.decision.rehash_context = s;
    if (d->parts > 1)
        d->type->route(d, &w->keys.decision);
}

/* ---- Order ------------------------------------------------------------ */

static bool is_decided(const struct window *w)
{
    return w->trouble != WINDOW_UNREAD && w->trouble != WINDOW_NO_MEMORY;
}

static void order(void *context, void *item, unsigned lane)
{
    struct engine *e = context;
    struct window *w = &((struct slot *)item)->window;
    struct decider *d = e->config.decider;
    struct decision *b = &w->keys.decision;

    (void)lane;
    w->first_record = e->records;
    e->records += w->n;
    e->is_closed = w->trouble != WINDOW_FINE;
    if (w->has_more)
        e->is_partial = true;
    if (!is_decided(w))
        return;
    b->now = b->time ? e->now : w->now;
    if (b->time)
        window_advance_clock(w, &e->now, e->config.within);
    d->type->submit(d, b);
}

/* The rest of a partial window may close the order, and is no longer partial
   afterwards: so that is tested first. */
static bool may_order(const void *context)
{
    const struct engine *e = context;

    return !e->is_partial && !e->is_closed;
}

/* ---- Decide ----------------------------------------------------------- */

static void collect(struct engine *e, struct window *w)
{
    struct decider *d = e->config.decider;

    if (is_decided(w) && !d->type->collect(d, &w->keys.decision, &w->why))
        window_fail(w, WINDOW_UNDECIDED);
}

/* With parts, each has a lane; verdicts are then collected in STEP_COMPACT, in
   parallel. */
void engine_decide(void *context, void *item, unsigned lane)
{
    struct engine *e = context;
    struct window *w = &((struct slot *)item)->window;
    struct decider *d = e->config.decider;

    if (d->parts <= 1)
        collect(e, w);
    else if (is_decided(w))
        d->type->decide_part(d, &w->keys.decision, lane);
}

void engine_collect_verdicts(struct engine *e, struct window *w)
{
    if (e->config.decider->parts > 1)
        collect(e, w);
    window_set_verdicts(w);
}

unsigned engine_lanes(const struct engine *e)
{
    unsigned parts = e->config.decider->parts;

    return parts > 1 ? parts : 1;
}

/* ---- Compact ---------------------------------------------------------- */

static bool fill(const struct engine *e, struct window *w)
{
    const struct output *o = e->config.output;

    return output_block_fill(&w->out, o->mode, w->chunk.record, w->verdict,
                             w->n) &&
           (o->dup.fd < 0 ||
            output_block_fill(&w->dup, &output_modes[OUTPUT_REPEATS],
                              w->chunk.record, w->verdict, w->n));
}

static void compact(void *context, void *item, unsigned lane)
{
    struct window *w = &((struct slot *)item)->window;

    (void)lane;
    w->counts = (struct engine_counts){.late = w->counts.late,
                                       .bytes_read = w->chunk.bytes};
    engine_collect_verdicts(context, w);
    w->is_lost = !fill(context, w);
}

/* ---- Write ------------------------------------------------------------ */

static void stop(struct engine *e, enum engine_status status)
{
    e->status = status;
    flow_stop(e->flow);
}

/* A process that SIGPIPE is about to end prints no message. */
static void fail_output(struct engine *e, const struct sink *s)
{
    e->why.text[0] = '\0';
    if (errno != EPIPE || signals_end() != SIGPIPE)
        fault_set(&e->why, "%s: %s", s->name, strerror(errno));
    stop(e, ENGINE_OUTPUT);
}

static void stop_at_trouble(struct engine *e, const struct window *w)
{
    engine_explain(e, w);
    stop(e, engine_status_of(w->trouble));
}

/* Returns the sink that failed, or NULL. */
static struct sink *write_blocks(struct engine *e, struct window *w)
{
    struct output *o = e->config.output;
    const struct view *record = w->chunk.record;

    if (output_block_write(&w->out, &o->out, o->mode, record, w->verdict,
                           w->n) < 0)
        return &o->out;
    if (o->dup.fd >= 0 &&
        output_block_write(&w->dup, &o->dup, &output_modes[OUTPUT_REPEATS],
                           record, w->verdict, w->n) < 0)
        return &o->dup;
    return NULL;
}

/* Tells the decider that the records of a window are written. */
static void report_written(const struct engine *e, const struct window *w)
{
    struct decider *d = e->config.decider;

    if (d->type->written && is_decided(w) && w->trouble != WINDOW_UNDECIDED)
        d->type->written(d, w->keys.decision.n);
}

static void write_records(struct engine *e, struct window *w)
{
    struct sink *failed;

    counts_merge(&e->counts, &w->counts);
    e->window_start = e->config.output->out.written;
    errno = ENOMEM;
    failed = w->is_lost ? &e->config.output->out : write_blocks(e, w);
    if (!failed)
        report_written(e, w);
    if (failed)
        fail_output(e, failed);
    else if (w->trouble != WINDOW_FINE)
        stop_at_trouble(e, w);
    else if (e->config.until_repeat && counts_of(&e->counts, VERDICTS_REPEATS))
        stop(e, ENGINE_STOPPED);
}

/* While a window has more records than room, no other window is in STEP_ORDER:
   all steps are performed here. */
static void write_out(void *context, void *item, unsigned lane)
{
    struct engine *e = context;
    struct window *w = &((struct slot *)item)->window;
    bool had_more = w->has_more;

    write_records(e, w);
    while (w->has_more && e->status == ENGINE_DONE) {
        w->is_split = false;
        w->chunk.bytes = 0; /* already counted */
        prepare(e, item, lane);
        order(e, item, lane);
        for (unsigned part = 0; part < engine_lanes(e); part++)
            engine_decide(e, item, part);
        compact(e, item, lane);
        write_records(e, w);
    }
    if (had_more)
        e->is_partial = false;
}

void engine_steps(const struct engine *e, struct flow_step steps[FLOW_STEPS])
{
    const struct decider *d = e->config.decider;

    steps[STEP_PREPARE] = (struct flow_step){.run = prepare};
    steps[STEP_ORDER] =
        (struct flow_step){.lanes = 1,
                           .ahead = d->parts > 1 ? 0 : d->depth + 1,
                           .is_urgent = d->depth > 0,
                           .run = order,
                           .may_begin = may_order};
    steps[STEP_DECIDE] = (struct flow_step){.lanes = engine_lanes(e),
                                            .lag = d->depth,
                                            .waits = d->depth > 0,
                                            .run = engine_decide};
    steps[STEP_COMPACT] = (struct flow_step){.run = compact};
    steps[STEP_WRITE] = (struct flow_step){.lanes = 1, .run = write_out};
}

void engine_rest_decider(struct engine *e)
{
    struct decider *d = e->config.decider;

    if (d->type->rest)
        d->type->rest(d);
}
