/*
 * extrapolate.c - predicts the errors of a filter if a sample continued for
 * ever
 */
#include "extrapolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"
#include "settled.h"

__extension__ typedef unsigned __int128 u128;

enum {
    BLOCK = 256,
    MOST_PER_BIT = 8 /* records per bit of the filter, as a limit of time */
};

#define SMALL (UINT64_C(1) << 18) /* bytes of a filter that fills quickly */
#define LEAST (UINT64_C(1) << 18) /* records that rates are counted over */
#define MOST  (UINT64_C(1) << 22)

/* ---- Classes ---------------------------------------------------------- */

/* Returns the class of a key, which is independent of its place in a filter. */
static uint64_t class_of(freshet_hash key, uint64_t n)
{
    uint64_t x = dice_mix(key.lo ^ (key.hi << 32 | key.hi >> 32));

    return (uint64_t)((u128)x * n >> 64);
}

uint64_t classes_for(uint64_t memory)
{
    return memory < 2 * SMALL ? 1 : memory / SMALL;
}

bool classes_make(struct classes *c, const struct input_keys *r, uint64_t n)
{
    uint64_t *next = calloc(n + 1, sizeof *next);

    *c = (struct classes){.hash = malloc(r->records * sizeof *c->hash),
                          .repeat = malloc(r->records),
                          .start = calloc(n + 2, sizeof *c->start),
                          .n = n,
                          .records = r->records};
    if (!next || !c->hash || !c->repeat || !c->start) {
        free(next);
        classes_free(c);
        return false;
    }
    for (uint64_t i = 0; i < r->records; i++)
        c->start[class_of(r->hash[i], n) + 1]++;
    for (uint64_t i = 0; i < n; i++) {
        c->start[i + 1] += c->start[i];
        next[i] = c->start[i];
    }
    for (uint64_t i = 0; i < r->records; i++) {
        uint64_t to = next[class_of(r->hash[i], n)]++;

        c->hash[to] = r->hash[i];
        c->repeat[to] = r->repeat[i];
    }
    free(next);
    return true;
}

void classes_free(struct classes *c)
{
    free(c->hash);
    free(c->repeat);
    free(c->start);
    *c = (struct classes){0};
}

/* ---- The endless stream ----------------------------------------------- */

struct continuation {
    const struct classes *classes;
    freshet *filter;
    uint64_t pass, at; /* number of the pass through the sample; record in it */
    struct error_count tally;
};

/* Returns another key in each pass, and the same one within a pass. */
static freshet_hash renamed(freshet_hash key, uint64_t pass)
{
    uint64_t salt = pass * UINT64_C(0x9e3779b97f4a7c15);

    return pass ? (freshet_hash){dice_mix(key.lo + salt),
                                 dice_mix(key.hi ^ salt)}
                : key;
}

/* Returns the next record, and whether it is a repeat. */
static freshet_hash next_key(struct continuation *g, uint8_t *repeat)
{
    const struct classes *c = g->classes;
    freshet_hash key = renamed(c->hash[g->at], g->pass);

    *repeat = c->repeat[g->at];
    if (++g->at == c->records) {
        g->at = 0;
        g->pass++;
    }
    return key;
}

static void offer_block(struct continuation *g)
{
    freshet_hash key[BLOCK];
    uint8_t seen[BLOCK], repeat[BLOCK];

    for (size_t i = 0; i < BLOCK; i++)
        key[i] = next_key(g, &repeat[i]);
    g->tally.seen += BLOCK - freshet_offer_batch(g->filter, key, BLOCK, seen);
    g->tally.repeats += error_count_both(repeat, repeat, BLOCK);
    g->tally.hits += error_count_both(seen, repeat, BLOCK);
    g->tally.records += BLOCK;
}

/* Runs until the filter is steady, as freshet bench does, or a limit is
   reached. */
static bool fill_until_settled(struct continuation *g)
{
    struct settled steady = settled_begin(g->filter);
    uint64_t keys = steady.bits / 64, most = steady.bits * MOST_PER_BIT;

    for (;; keys *= 2) {
        while (error_count_new(&g->tally) < keys && g->tally.records < most)
            offer_block(g);
        keys = error_count_new(&g->tally);
        if (settled_after(&steady, g->filter, keys))
            return true;
        if (g->tally.records >= most)
            return false;
    }
}

/* Counts the errors of a steady filter, or of one up to the expected number of
   keys. */
static void count(struct continuation *g, uint64_t expect,
                  struct extrapolation *out)
{
    struct error_count before = {0};
    uint64_t records = g->classes->records;

    out->steady = true;
    if (expect) {
        uint64_t most = settled_begin(g->filter).bits * MOST_PER_BIT;

        while (error_count_new(&g->tally) < expect && g->tally.records < most)
            offer_block(g);
        out->steady = error_count_new(&g->tally) >= expect;
    } else {
        out->steady = fill_until_settled(g);
        before = g->tally;
        records = records > MOST ? MOST : records;
        while (g->tally.records - before.records < LEAST ||
               g->tally.records - before.records < records)
            offer_block(g);
    }
    out->tally = error_count_since(&g->tally, &before);
}

static uint64_t divided(uint64_t count, uint64_t by)
{
    return count ? (count + by - 1) / by : 0;
}

bool extrapolate(struct extrapolation *out, const struct classes *c,
                 const freshet_options *options, struct fault *why)
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_options o = *options;
    struct continuation g = {.classes = c};
    freshet_error err;

    /* The planner chooses for the large filter. */
    if (freshet_plan(&planned, options, &err) < 0) {
        fault_set(why, "%s", err.message);
        return false;
    }
    o.algorithm = planned.algorithm;
    o.memory = planned.bytes / c->n;
    o.expect = divided(options->expect, c->n);
    o.window = divided(options->window, c->n);
    o.seed = options->seed ? options->seed : 1;
    if (freshet_create(&g.filter, &o, &err) < 0) {
        fault_set(why, "%s", err.message);
        return false;
    }
    count(&g, o.expect, out);
    out->scale = c->n;
    freshet_free(g.filter);
    return true;
}
