/*
 * engine_loop.c - the loop over the input
 */
#include <stdlib.h>

#include "engine_internal.h"

/* ---- Headers ---------------------------------------------------------- */

/* From now on, windows are prepared by this extractor. */
static void use_extractor(struct engine *e, const struct extractor *x)
{
    e->extractor = x;
    e->version++;
}

static void forget_columns(struct engine *e)
{
    for (size_t i = 0; i < e->slots; i++)
        extractor_free(&e->slot[i].extractor);
    extractor_free(&e->header.found);
    use_extractor(e, e->config.extractor);
}

/* Finds named columns in a header, unless they were found in the same header
   before. */
static bool find_columns(struct engine *e, struct view header, bool again,
                         struct fault *why)
{
    if (!extractor_wants_columns(e->config.extractor) ||
        (again && e->header.found.key))
        return true;
    forget_columns(e);
    if (extractor_with_header(&e->header.found, e->config.extractor, header,
                              why)) {
        use_extractor(e, &e->header.found);
        return true;
    }
    forget_columns(e);
    return false;
}

/*
 * Reads the header of an input, when no window is in progress.  It is shown
 * once: several files with the same header become one table.
 */
static bool read_header(struct engine *e, struct window *w, struct fault *why)
{
    struct engine_header *h = &e->header;
    struct view header;
    struct fault reason;
    freshet_hash hash;
    bool again;

    if (!engine_load(e, w) || w->n == 0)
        return true; /* trouble with it is reported later, in order */
    header = w->chunk.record[0];
    hash = freshet_hash_with(&e->config.decider->hasher, header.at, header.len);
    again = h->was_seen && hash.lo == h->hash.lo && hash.hi == h->hash.hi;
    if (!find_columns(e, header, again, &reason))
        return fault_set(why, "%s: %s", e->in->name, reason.text);
    h->is_due = false;
    h->was_seen = true;
    h->hash = hash;
    w->verdict[0] = again ? VERDICT_HEADER_AGAIN : VERDICT_HEADER;
    w->first_data = 1;
    return true;
}

/* ---- Windows ---------------------------------------------------------- */

/* Returns the number of windows: two for each thread, one in work and one that
   waits for its turn, and those that wait for a decider. */
static size_t slots_of(const struct engine_config *c)
{
    size_t most = c->pool ? 2 * (size_t)c->threads : 1;

    return most + c->decider->depth;
}

/* The first window uses the engine's own extractor. */
static bool clone_for(struct engine *e, struct slot *s)
{
    extractor_free(&s->extractor);
    s->version = e->version;
    return s == e->slot || extractor_clone(&s->extractor, e->extractor);
}

static bool make_ready(struct engine *e, struct slot *s)
{
    if (!s->is_ready)
        s->is_ready =
            window_init(&s->window, e->window_bytes, e->window_records,
                        event_time_is_set(&e->extractor->time),
                        e->config.decider->parts > 1);
    if (s->is_ready && (s->version == e->version || clone_for(e, s)))
        return true;
    s->is_ready = false;
    window_free(&s->window);
    return false;
}

/* Returns a window to fill.  One for which there is no memory is never used;
   the first always has its memory.  NULL: the flow was stopped. */
static struct slot *next_slot(struct engine *e)
{
    struct slot *s = flow_take(e->flow);

    while (s && !make_ready(e, s)) {
        flow_retire_item(e->flow);
        s = flow_take(e->flow);
    }
    return s;
}

/* Starts the other threads once there is work for several. */
static void start_threads(struct engine *e, const struct chunk *c)
{
    if (e->threads || !e->config.pool || c->last ||
        c->bytes < e->window_bytes / 4)
        return;
    e->threads = pool_start(e->config.pool);
    if (e->threads > 1)
        flow_set_limit(e->flow, e->slots);
}

/*
 * Returns whether there is work for several threads.  Where the input is
 * scarce, it is decompressed by a thread that needs a processor more than
 * others do: the caller then performs all steps of a window before it claims
 * the next one.
 */
static bool has_plenty(const struct engine *e)
{
    return e->config.decider->depth > 0 || e->in->type->has_plenty(e->in);
}

/* ---- The loop --------------------------------------------------------- */

void engine_begin(struct engine *e, struct source *in)
{
    flow_reset(e->flow);
    e->in = in;
    e->status = ENGINE_DONE;
    e->records = 0;
    e->is_closed = e->is_partial = false;
    e->header.is_due = e->config.extractor->has_header ||
                       extractor_wants_columns(e->config.extractor);
}

/* Waits until everything that was read is decided and written, as far as
   possible. */
static enum engine_status drain(struct engine *e, struct fault *why)
{
    flow_drain(e->flow);
    engine_rest_decider(e);
    if (e->status != ENGINE_DONE)
        *why = e->why;
    return e->status;
}

static enum engine_status rest_for_host(struct engine *e, struct fault *why)
{
    const struct engine_host *host = &e->config.host;
    enum engine_status status = drain(e, why);

    if (status == ENGINE_DONE && !host->at_rest(host->context))
        status = ENGINE_STOPPED;
    return status;
}

/* Trouble with the input is reported after everything before it is written. */
static enum engine_status fail_input(struct engine *e, const struct fault *what,
                                     struct fault *why)
{
    enum engine_status status = drain(e, why);

    if (status != ENGINE_DONE)
        return status;
    *why = *what;
    return ENGINE_INPUT;
}

static enum engine_status push(struct engine *e, struct slot *s,
                               struct fault *why)
{
    struct window *w = &s->window;
    const struct engine_host *host = &e->config.host;
    bool is_long = w->chunk.size > e->window_bytes;
    struct fault what;

    window_begin(w);
    w->now = host->clock ? host->clock(host->context) : 0;
    if (e->header.is_due && !read_header(e, w, &what)) {
        flow_give_back(e->flow, s);
        return fail_input(e, &what, why);
    }
    start_threads(e, &w->chunk);
    flow_push(e->flow, s,
              w->chunk.bytes >= e->window_bytes / 4 && has_plenty(e));
    while (!has_plenty(e) && flow_help(e->flow))
        ;
    /* Memory would grow if each window had a long record of its own. */
    return is_long && drain(e, why) != ENGINE_DONE ? e->status : ENGINE_MORE;
}

/* Returns whether a claimed chunk is the last record of the input, without its
   delimiter, and the host leaves it out. */
static bool is_left_out(const struct engine *e, const struct chunk *c)
{
    const struct engine_host *host = &e->config.host;

    return c->last && host->leaves_out_last &&
           host->leaves_out_last(host->context);
}

static enum engine_status take_chunk(struct engine *e, struct slot *s,
                                     struct fault *why)
{
    enum engine_status status;

    if (!is_left_out(e, &s->window.chunk))
        return push(e, s, why);
    flow_give_back(e->flow, s);
    status = drain(e, why);
    return status == ENGINE_DONE ? ENGINE_STOPPED : status;
}

enum engine_status engine_step(struct engine *e, struct fault *why)
{
    const struct engine_host *host = &e->config.host;
    enum engine_status status = ENGINE_DONE;
    struct fault what;
    struct slot *s;

    if (host->wants_rest(host->context))
        status = rest_for_host(e, why);
    if (status != ENGINE_DONE)
        return status;
    s = next_slot(e);
    if (!s)
        return drain(e, why);
    switch (e->in->type->claim(e->in, &s->window.chunk, &what)) {
    case SOURCE_CHUNK:
        return take_chunk(e, s, why);
    case SOURCE_AGAIN:
        flow_give_back(e->flow, s);
        return ENGINE_MORE;
    case SOURCE_END:
        flow_give_back(e->flow, s);
        return drain(e, why);
    case SOURCE_FAILED:
        break;
    }
    flow_give_back(e->flow, s);
    return fail_input(e, &what, why);
}

enum engine_status engine_run(struct engine *e, struct source *in,
                              struct fault *why)
{
    enum engine_status status;

    engine_begin(e, in);
    do
        status = engine_step(e, why);
    while (status == ENGINE_MORE);
    return status;
}

/* ---- Making ----------------------------------------------------------- */

/* Returns the number of records of a window: it has room for records of eight
   bytes and more, unless a decision is limited to fewer keys. */
static size_t records_of(size_t window, const struct decider *d)
{
    size_t records = window / 8 + 1;

    return d->most && d->most < records ? d->most : records;
}

static bool make_flow(struct engine *e)
{
    void **items = calloc(e->slots, sizeof *items);
    struct flow_step steps[FLOW_STEPS];

    for (size_t i = 0; items && i < e->slots; i++)
        items[e->slots - 1 - i] = &e->slot[i]; /* the last one is used first */
    engine_steps(e, steps);
    if (items)
        e->flow = flow_create(steps, e, e->config.pool, items, e->slots);
    free(items);
    return e->flow;
}

struct engine *engine_create(const struct engine_config *config, size_t window,
                             struct fault *why)
{
    struct engine *e = calloc(1, sizeof *e);

    if (e) {
        e->config = *config;
        e->window_bytes = window;
        e->window_records = records_of(window, config->decider);
        e->slots = slots_of(config);
        e->slot = calloc(e->slots, sizeof *e->slot);
        e->now = config->now;
        use_extractor(e, config->extractor);
    }
    if (e && e->slot && make_flow(e) && make_ready(e, e->slot)) {
        flow_set_limit(e->flow, 1 + config->decider->depth);
        return e;
    }
    engine_free(e);
    fault_set(why, "no memory to read the input");
    return NULL;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    flow_free(e->flow);
    for (size_t i = 0; e->slot && i < e->slots; i++) {
        extractor_free(&e->slot[i].extractor);
        window_free(&e->slot[i].window);
    }
    extractor_free(&e->header.found);
    free(e->slot);
    free(e);
}

const struct engine_counts *engine_counts(const struct engine *e)
{
    return &e->counts;
}

const struct engine_config *engine_config(const struct engine *e)
{
    return &e->config;
}

unsigned engine_threads(const struct engine *e)
{
    return e->threads ? e->threads : 1;
}
