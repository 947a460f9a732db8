/*
 * engine_steps.c - the steps of a window through the engine
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "engine_internal.h"
#include "signals.h"

/* ---- Prepare ---------------------------------------------------------- */

bool engine_load(struct engine *e, struct window *w)
{
    if (!e->in->type->load(e->in, &w->chunk, &w->why)) {
        window_give_up(w, WINDOW_UNREAD);
        return false;
    }
    window_split(w, &e->in->framing);
    return true;
}

/* A decision's rehash(): the keys are taken from the records once more. */
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

/*
 * The clock is the latest time of any record.  A record with an earlier time is
 * compared at the clock's time; one that is older than the window is late.
 */
static void advance_clock(struct engine *e, struct window *w)
{
    uint64_t *time = w->keys.time;

    w->counts.late = 0;
    for (size_t i = 0; i < w->keys.decision.n; i++) {
        if (time[i] > e->now)
            e->now = time[i];
        w->counts.late += e->now - time[i] > e->config.within;
        time[i] = e->now;
    }
}

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
        advance_clock(e, w);
    d->type->submit(d, b);
}

/* The rest of a partial window may close the order, and is no longer partial
   after that: so that is asked first. */
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
        window_give_up(w, WINDOW_UNDECIDED);
}

/* By parts, a lane for each; verdicts are then collected when the window is
   compacted, side by side. */
static void decide(void *context, void *item, unsigned lane)
{
    struct engine *e = context;
    struct window *w = &((struct slot *)item)->window;
    struct decider *d = e->config.decider;

    if (d->parts <= 1)
        collect(e, w);
    else if (is_decided(w))
        d->type->decide_part(d, &w->keys.decision, lane);
}

static void take_verdicts(struct engine *e, struct window *w)
{
    if (e->config.decider->parts > 1)
        collect(e, w);
    window_take_verdicts(w);
}

static unsigned lanes(const struct engine *e)
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
    take_verdicts(context, w);
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

/* Returns the number of the record at which a window ends; the first record of
   an input is number 1, a header or not. */
static uint64_t trouble_record(const struct window *w)
{
    return w->first_record + w->n + 1;
}

/* Returns the place in the input of the record at which a window ends. */
static uint64_t trouble_offset(const struct window *w)
{
    const struct chunk *c = &w->chunk;

    return c->offset + (w->n < c->n ? (uint64_t)(c->record[w->n].at - c->buffer)
                                    : c->start);
}

static enum engine_status status_of(enum window_trouble trouble)
{
    if (trouble == WINDOW_TOO_LONG || trouble == WINDOW_UNREAD)
        return ENGINE_INPUT;
    return trouble == WINDOW_UNDECIDED ? ENGINE_UNDECIDED : ENGINE_FAILED;
}

static void explain_too_long(struct fault *why, const struct source *in,
                             const struct window *w)
{
    if (w->chunk.open_quote)
        fault_set(why,
                  "%s: the quote that opens in line %" PRIu64 " is not closed "
                  "within %zu bytes; close it, or allow longer records with "
                  "--max-record",
                  in->name, w->chunk.open_quote, in->framing.most);
    else
        fault_set(why,
                  "%s: record %" PRIu64 " at byte %" PRIu64 " is longer than "
                  "%zu bytes; --max-record allows longer ones",
                  in->name, trouble_record(w), trouble_offset(w),
                  in->framing.most);
}

static void take_trouble(struct engine *e, const struct window *w)
{
    const char *name = e->in->name;

    switch (w->trouble) {
    case WINDOW_FINE:
        return;
    case WINDOW_MALFORMED:
        fault_set(&e->why,
                  "%s: record %" PRIu64 " at byte %" PRIu64 " %s; "
                  "--malformed=pass or drop goes on",
                  name, trouble_record(w), trouble_offset(w), w->words);
        break;
    case WINDOW_TOO_LONG:
        explain_too_long(&e->why, e->in, w);
        break;
    case WINDOW_UNREAD:
    case WINDOW_UNDECIDED:
        e->why = w->why;
        break;
    case WINDOW_NO_MEMORY:
        fault_set(&e->why, "%s: no memory for a key", name);
        break;
    }
    stop(e, status_of(w->trouble));
}

/* Returns the sink that failed, or NULL. */
static struct sink *put(struct engine *e, struct window *w)
{
    struct output *o = e->config.output;
    const struct view *record = w->chunk.record;

    e->window_start = o->out.written;
    if (output_block_write(&w->out, &o->out, o->mode, record, w->verdict,
                           w->n) < 0)
        return &o->out;
    if (o->dup.fd >= 0 &&
        output_block_write(&w->dup, &o->dup, &output_modes[OUTPUT_REPEATS],
                           record, w->verdict, w->n) < 0)
        return &o->dup;
    return NULL;
}

/* Tell the decider that the records of a window are written. */
static void tell_written(const struct engine *e, const struct window *w)
{
    struct decider *d = e->config.decider;

    if (d->type->written && is_decided(w) && w->trouble != WINDOW_UNDECIDED)
        d->type->written(d, w->keys.decision.n);
}

static void write_records(struct engine *e, struct window *w)
{
    struct sink *failed;

    counts_merge(&e->counts, &w->counts);
    errno = ENOMEM;
    failed = w->is_lost ? &e->config.output->out : put(e, w);
    if (!failed)
        tell_written(e, w);
    if (failed)
        fail_output(e, failed);
    else if (w->trouble != WINDOW_FINE)
        take_trouble(e, w);
    else if (e->config.until_repeat && counts_of(&e->counts, VERDICTS_REPEATS))
        stop(e, ENGINE_STOPPED);
}

/* While a window has more records than it has room for, no other is in order:
   all steps are taken here. */
static void write_out(void *context, void *item, unsigned lane)
{
    struct engine *e = context;
    struct window *w = &((struct slot *)item)->window;
    bool had_more = w->has_more;

    write_records(e, w);
    while (w->has_more && e->status == ENGINE_DONE) {
        w->is_split = false;
        w->chunk.bytes = 0; /* they are counted */
        prepare(e, item, lane);
        order(e, item, lane);
        for (unsigned part = 0; part < lanes(e); part++)
            decide(e, item, part);
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
                           .run = order,
                           .may_begin = may_order};
    steps[STEP_DECIDE] =
        (struct flow_step){.lanes = lanes(e), .lag = d->depth, .run = decide};
    steps[STEP_COMPACT] = (struct flow_step){.run = compact};
    steps[STEP_WRITE] = (struct flow_step){.lanes = 1, .run = write_out};
}

void engine_rest_decider(struct engine *e)
{
    struct decider *d = e->config.decider;

    if (d->type->rest)
        d->type->rest(d);
}

/* ---- Undo ------------------------------------------------------------- */

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

/* The last one first: each is undone as if it had never been. */
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

/* Windows that were submitted when the flow stopped are decided first.  Returns
   how many windows are decided and not written. */
static size_t decide_submitted(struct engine *e)
{
    struct slot *s;
    unsigned done;
    size_t n = 0;

    for (; (s = flow_unfinished(e->flow, n, &done)); n++) {
        if (done < STEP_DECIDE)
            return n;
        for (unsigned part = 0; done == STEP_DECIDE && part < lanes(e); part++)
            if (!flow_has_passed(e->flow, n, part))
                decide(e, s, part);
        if (done <= STEP_COMPACT)
            take_verdicts(e, &s->window);
    }
    return n;
}

/* The oldest window was written in part, those behind it were not.  Where
   repeats are written as well, it is not known how far they came. */
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
