/*
 * flow.c - passes items through steps, in order or in parallel
 */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

/* An item in progress. */
struct place {
    void *item;
    unsigned done; /* steps done */
    unsigned left; /* lanes of the next step that it has not passed */
};

struct lane {
    uint64_t next; /* ticket of the next item to pass it */
    bool is_busy;
};

/*
 * Items are numbered as they are pushed; the number is their ticket.  Those
 * from finished to pushed are in progress.
 */
struct flow {
    struct flow_step step[FLOW_STEPS];
    void *context;
    struct pool *pool;
    struct pool_member member;

    struct lane lane[FLOW_STEPS][FLOW_LANES];
    uint64_t pushed, finished;
    unsigned running; /* steps being performed */
    bool is_draining, is_stopped;
    bool is_waiting;     /* the caller waits */
    pthread_cond_t less; /* signalled when there is less work, for the caller */

    size_t items, usable; /* all; those that are not retired */
    size_t limit, free_items;
    void **free_item;
    struct place *place;
};

static void lock(struct flow *f)
{
    if (f->pool)
        pool_lock(f->pool);
}

static void unlock(struct flow *f)
{
    if (f->pool)
        pool_unlock(f->pool);
}

static struct place *place_of(const struct flow *f, uint64_t ticket)
{
    return &f->place[ticket % f->items];
}

/* ---- Steps ------------------------------------------------------------ */

/* Returns the number of lanes to examine. */
static unsigned lanes_of(const struct flow *f, unsigned step)
{
    return f->step[step].lanes ? f->step[step].lanes : 1;
}

static bool is_full(const struct flow *f)
{
    return f->pushed - f->finished == f->limit;
}

/* Returns whether enough items have been pushed after the next one. */
static bool is_due(const struct flow *f, unsigned step)
{
    unsigned lag = f->step[step].lag;

    return lag == 0 || f->is_draining || is_full(f) ||
           f->lane[step - 1][0].next - f->lane[step][0].next > lag;
}

/* Returns whether too many items wait between this step and the next. */
static bool is_ahead(const struct flow *f, unsigned step)
{
    const struct lane *l = f->lane[step + 1];

    return f->step[step].ahead &&
           f->lane[step][0].next - l->next + l->is_busy >= f->step[step].ahead;
}

static bool can_begin(const struct flow *f, unsigned step, unsigned lane)
{
    const struct flow_step *s = &f->step[step];
    const struct lane *l = &f->lane[step][lane];

    return l->next < f->pushed && !l->is_busy &&
           place_of(f, l->next)->done == step && is_due(f, step) &&
           !is_ahead(f, step) && (!s->may_begin || s->may_begin(f->context));
}

/* Returns whether the caller leaves a step to the pool's threads. */
static bool is_left_to_pool(const struct flow *f, const struct flow_step *s,
                            bool is_caller)
{
    return is_caller && s->waits && !f->is_draining && f->pool &&
           pool_has_threads(f->pool);
}

/* Finds a lane with work among urgent steps or among the others, the last step
   first. */
static bool find_among(const struct flow *f, bool is_urgent, bool is_caller,
                       unsigned *step, unsigned *lane)
{
    for (*step = FLOW_STEPS; (*step)-- > 0;) {
        const struct flow_step *s = &f->step[*step];

        if (s->is_urgent != is_urgent || is_left_to_pool(f, s, is_caller))
            continue;
        for (*lane = 0; *lane < lanes_of(f, *step); ++*lane)
            if (can_begin(f, *step, *lane))
                return true;
    }
    return false;
}

/* Finds work for the caller or another thread. */
static bool find_work(const struct flow *f, bool is_caller, unsigned *step,
                      unsigned *lane)
{
    return !f->is_stopped && (find_among(f, true, is_caller, step, lane) ||
                              find_among(f, false, is_caller, step, lane));
}

static void call_caller(struct flow *f)
{
    if (f->is_waiting)
        pthread_cond_signal(&f->less);
}

/* A thread that works looks for more work by itself, so it is enough to wake
   one more for the rest. */
static void wake_another(struct flow *f)
{
    unsigned step, lane;

    if (!f->pool || (!f->is_waiting && !pool_has_idle(f->pool)))
        return;
    if (find_work(f, false, &step, &lane) && !pool_wake(f->pool))
        call_caller(f);
}

static void finish(struct flow *f, struct place *p)
{
    f->free_item[f->free_items++] = p->item;
    f->finished++;
}

/* An item whose last step stopped the flow is not finished. */
static void end_step(struct flow *f, struct place *p, struct lane *l)
{
    bool is_last = p->done + 1 == FLOW_STEPS;

    l->is_busy = false;
    f->running--;
    if (--p->left == 0 && !is_last)
        p->left = lanes_of(f, ++p->done);
    else if (p->left == 0 && !f->is_stopped)
        finish(f, p);
    if (is_last || f->running == 0)
        call_caller(f);
}

/* Locked: performs one step.  Returns false if there is nothing to do. */
static bool work(struct flow *f, bool is_caller)
{
    unsigned step, number;
    struct lane *l;
    struct place *p;

    if (!find_work(f, is_caller, &step, &number))
        return false;
    l = &f->lane[step][number];
    p = place_of(f, l->next++);
    l->is_busy = f->step[step].lanes > 0;
    f->running++;
    wake_another(f);
    unlock(f);
    f->step[step].run(f->context, p->item, number);
    lock(f);
    end_step(f, p, l);
    return true;
}

static bool work_for_pool(void *context)
{
    return work(context, false);
}

/* Locked: performs one step, or waits for other threads. */
static void work_or_wait(struct flow *f)
{
    if (work(f, true) || !f->pool)
        return;
    wake_another(f);
    f->is_waiting = true;
    pool_wait(f->pool, &f->less);
    f->is_waiting = false;
}

/* ---- The caller's side ------------------------------------------------ */

struct flow *flow_create(const struct flow_step *steps, void *context,
                         struct pool *pool, void *const *items, size_t n)
{
    struct flow *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    memcpy(f->step, steps, sizeof f->step);
    f->context = context;
    f->items = f->usable = f->limit = f->free_items = n;
    f->place = calloc(n, sizeof *f->place);
    f->free_item = calloc(n, sizeof *f->free_item);
    pthread_cond_init(&f->less, NULL);
    if (!f->place || !f->free_item) {
        flow_free(f);
        return NULL;
    }
    memcpy(f->free_item, items, n * sizeof *items);
    f->pool = pool;
    f->member = (struct pool_member){.work = work_for_pool, .context = f};
    if (pool)
        pool_add(pool, &f->member);
    return f;
}

void flow_free(struct flow *f)
{
    if (!f)
        return;
    if (f->pool)
        pool_remove(f->pool, &f->member);
    pthread_cond_destroy(&f->less);
    free(f->place);
    free(f->free_item);
    free(f);
}

void flow_set_limit(struct flow *f, size_t limit)
{
    lock(f);
    f->limit = limit < f->usable ? limit : f->usable;
    unlock(f);
}

void *flow_take(struct flow *f)
{
    void *item = NULL;

    lock(f);
    while (is_full(f) && !f->is_stopped)
        work_or_wait(f);
    if (!f->is_stopped)
        item = f->free_item[--f->free_items];
    unlock(f);
    return item;
}

void flow_give_back(struct flow *f, void *item)
{
    lock(f);
    f->free_item[f->free_items++] = item;
    unlock(f);
}

void flow_retire_item(struct flow *f)
{
    lock(f);
    if (f->limit > --f->usable)
        f->limit = f->usable;
    unlock(f);
}

void flow_push(struct flow *f, void *item, bool is_worth_waking)
{
    lock(f);
    *place_of(f, f->pushed++) =
        (struct place){.item = item, .left = lanes_of(f, 0)};
    if (is_worth_waking)
        wake_another(f);
    while (!f->pool && work(f, true))
        ;
    unlock(f);
}

bool flow_help(struct flow *f)
{
    bool helped;

    lock(f);
    helped = work(f, true);
    unlock(f);
    return helped;
}

void flow_drain(struct flow *f)
{
    unsigned step, lane;

    lock(f);
    f->is_draining = true;
    while (f->running || find_work(f, true, &step, &lane))
        work_or_wait(f);
    f->is_draining = false;
    unlock(f);
}

void flow_stop(struct flow *f)
{
    lock(f);
    f->is_stopped = true;
    unlock(f);
}

void *flow_unfinished(const struct flow *f, size_t i, unsigned *steps)
{
    const struct place *p = place_of(f, f->finished + i);

    if (f->finished + i >= f->pushed)
        return NULL;
    *steps = p->done;
    return p->item;
}

bool flow_has_passed(const struct flow *f, size_t i, unsigned lane)
{
    uint64_t ticket = f->finished + i;

    return f->lane[place_of(f, ticket)->done][lane].next > ticket;
}

void flow_reset(struct flow *f)
{
    lock(f);
    while (f->finished < f->pushed)
        finish(f, place_of(f, f->finished));
    for (unsigned s = 0; s < FLOW_STEPS; s++)
        for (unsigned l = 0; l < FLOW_LANES; l++)
            f->lane[s][l].next = f->pushed;
    f->is_stopped = false;
    unlock(f);
}
