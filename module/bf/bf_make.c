/*
 * bf_make.c - making a filter for BF.* commands
 */
#include "bf_make.h"

#include <stdio.h>

#include "reply.h"
#include "reserve.h"

enum { LEAST_MEMORY = 4096 };

#define EVICTING "pocket" /* of freshet's filters */

int bf_full_policy;

/* ---- One that forgets the oldest when it is full ------------------------ */

/*
 * Memory in which it remembers as many of the last items as the Bloom filter
 * would have taken.  That one needs less, and cannot tell old from new.
 */
static uint64_t memory_to_reach(const struct bf_shape *shape)
{
    freshet_options options = {.size = sizeof options,
                               .algorithm = EVICTING,
                               .memory = bf_shape_bytes(shape),
                               .false_drop_rate = shape->error,
                               .expect = shape->capacity};
    freshet_workload endless = {.size = sizeof endless};
    freshet_rates rates = {.size = sizeof rates};

    if (options.memory < LEAST_MEMORY)
        options.memory = LEAST_MEMORY;
    while (freshet_expect_options(&rates, &options, &endless, NULL) == 0 &&
           rates.reach < (double)shape->capacity)
        options.memory += options.memory / 32;
    return options.memory;
}

/* Replicas do not come here: they get FR.RESERVE. */
static bool make_evicting(struct bf_place *p, const struct bf_shape *shape)
{
    struct reserve_args args = {.memory = memory_to_reach(shape),
                                .error = shape->error,
                                .expect = shape->capacity,
                                .algorithm = EVICTING};

    return reserve(&p->at, &args, NULL);
}

/* ---- A chain ------------------------------------------------------------ */

static void replicate(struct bf_place *p, const struct bf_shape *shape)
{
    char error[32];

    snprintf(error, sizeof error, "%.17g", shape->error);
    if (shape->scaling)
        rm.Replicate(p->at.ctx, "BF.RESERVE", "sclcl", p->at.name, error,
                     (long long)shape->capacity, "EXPANSION",
                     (long long)shape->growth);
    else
        rm.Replicate(p->at.ctx, "BF.RESERVE", "sclc", p->at.name, error,
                     (long long)shape->capacity, "NONSCALING");
}

static bool make_chain(struct bf_place *p, const struct bf_shape *shape)
{
    struct bf_chain *chain;

    if (!reserve_fits(p->at.ctx, bf_shape_bytes(shape)))
        return false;
    chain = bf_chain_make(shape);
    if (!chain) {
        reply_error(p->at.ctx, "ERR Insufficient memory to create filter");
        return false;
    }
    bf_place_set(p, chain);
    replicate(p, shape);
    rm.NotifyKeyspaceEvent(p->at.ctx, RM_NOTIFY_MODULE, "bf.reserve",
                           p->at.name);
    return true;
}

bool bf_make(struct bf_place *p, const struct bf_shape *shape)
{
    if (!shape->scaling && bf_full_policy == BF_POLICY_EVICT &&
        !command_is_echo(p->at.ctx))
        return make_evicting(p, shape);
    return make_chain(p, shape);
}
