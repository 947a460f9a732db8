/*
 * acc_pocket.c - the pocket filter on an endless stream, in the steady state
 *
 * Keys are all new.  At every step the filter is also asked about the key of
 * a gap ago, which it should know; asking changes nothing, so repeats are as
 * rare as can be.  Memory is the window's keys times the bits for each, and
 * not a byte more: headers count.
 *
 * Without the option window a filter is a stack, the last so many keys.  One
 * filter is then asked about many gaps at once: a gap of n keys in m bits of
 * memory is m / n bits per key.  With the option it is told the window, and
 * is made anew for each.
 *
 * Asking by batches makes gaps up to a batch longer than they are said to be
 * without a window: against us.  With one that would ask beyond its end, so
 * there the question comes before the keys that end the gap, one by one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "accuracy.h"
#include "lower_bound.h"
#include "stream.h"

enum { MOST_BITS = 96 };

static const struct target {
    double wanted;
    unsigned bits;      /* per key of the window */
    double drops;       /* the highest rate allowed */
    double passes;      /* likewise, per million */
    uint64_t batches;   /* of new keys, after the filter is steady */
    uint64_t ask_every; /* so many batches */
} targets[] = {
    {0.01, 17, 0.011, 50, 40000, 1},
    {0.001, 23, 0.001, 20, 40000, 1},
    {1e-6, 80, 1e-6, 50, 240000, 6},
};

/* At least so many window keys. */
static uint64_t window_keys(const struct accuracy *a)
{
    return UINT64_C(1) << (a->quick ? 14 : 22);
}

/* ---- One row ---------------------------------------------------------- */

struct row {
    const char *mode;
    double wanted, bits, drops_allowed, passes_allowed; /* NaN: no target */
    uint64_t keys, memory; /* of the window; bytes */
    uint64_t slots;
    char params[256];
    struct counts n;
};

/* Surely no more than 50 in a million are lost. */
static bool is_enough(const struct counts *n)
{
    return rate_below(n->missed, n->asked) <= 50e-6;
}

static const char *verdict(struct accuracy *a, const struct row *r)
{
    double drops = rate_below(r->n.dropped, r->n.fresh);
    double passes = (double)r->n.missed * 1e6 / (double)r->n.asked;
    bool met;

    if (isnan(r->drops_allowed))
        return is_enough(&r->n) ? "under 50/M" : "over 50/M";
    if (a->quick)
        return "-";
    /* Of drops so rare that they are counted on fingers, the upper bound
       must do; zero allowed means none seen. */
    if (r->n.dropped > 1000 || r->drops_allowed == 0)
        drops = (double)r->n.dropped / (double)r->n.fresh;
    met = drops <= r->drops_allowed && passes <= r->passes_allowed;
    a->judged++;
    a->met += met;
    return met ? "met" : "MISSED";
}

static void print_row(struct accuracy *a, const struct row *r)
{
    double drop = (double)r->n.dropped / (double)r->n.fresh;
    double pass = (double)r->n.missed / (double)r->n.asked;
    double least = floor_bits(drop, pass);

    printf(a->csv ? "%s,%g,%g,%" PRIu64 ",%" PRIu64 ",\"%s\",%" PRIu64
                    ",%" PRIu64 ",%.3g,%.3g,%" PRIu64 ",%" PRIu64
                    ",%.3g,%.3g,%.2f,%s\n"
                  : "%-7s %7g %5g %9" PRIu64 " %10" PRIu64 " %-30s %10" PRIu64
                    " %8" PRIu64 " %9.3g %9.3g %9" PRIu64 " %7" PRIu64
                    " %8.3g %8.3g %7.2f %s\n",
           r->mode, r->wanted, r->bits, r->keys, r->memory, r->params,
           r->n.fresh, r->n.dropped, drop, rate_below(r->n.dropped, r->n.fresh),
           r->n.asked, r->n.missed, pass * 1e6,
           rate_below(r->n.missed, r->n.asked) * 1e6,
           isfinite(least) ? least : (double)NAN, verdict(a, r));
    fflush(stdout);
}

static void print_columns(const struct accuracy *a)
{
    if (a->csv)
        puts("window,wanted,bits,keys,memory,params,new,drops,drop_rate,"
             "drop_below,asked,passes,per_million,per_million_below,"
             "floor_bits,verdict");
    else
        printf("\nThe pocket filter, endless stream, steady state.  \"below\" "
               "is the 95 %% upper\nbound, \"floor\" the fewest bits per key "
               "that any structure with these rates needs.\n\n"
               "%-7s %7s %5s %9s %10s %-30s %10s %8s %9s %9s %9s %7s %8s %8s "
               "%7s target\n",
               "window", "wanted", "bits", "keys", "memory", "params", "new",
               "drops", "rate", "below", "asked", "passes", "per M", "below",
               "floor");
}

/* ---- Without the option window ---------------------------------------- */

/* One filter, asked about gaps of all whole bits per key up to the target. */
static void run_stack(freshet *f, const struct target *t, uint64_t bits,
                      uint64_t batches, struct counts *at, unsigned from)
{
    uint64_t next = info_of(f).slots * 3; /* steady by then */

    offer_range(f, 0, next);
    for (uint64_t i = 0; i < batches; i++) {
        uint64_t fresh = offer_range(f, next, BATCH);

        next += BATCH;
        for (unsigned b = from; b <= t->bits; b++) {
            at[b].fresh += BATCH;
            at[b].dropped += BATCH - fresh;
            if (i % t->ask_every)
                continue;
            at[b].asked += BATCH;
            at[b].missed += query_range(f, next - bits / b - BATCH, BATCH);
        }
    }
}

static void measure_stack(struct accuracy *a, const struct target *t)
{
    struct counts at[MOST_BITS] = {0};
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .memory = window_keys(a) * t->bits / 8,
                         .false_drop_rate = t->wanted,
                         .seed = 1};
    freshet *f = open_filter(&o);
    freshet_info info = info_of(f);
    unsigned from = (unsigned)(o.memory * 8 / info.slots) + 1, least = from;

    run_stack(f, t, o.memory * 8, t->batches >> (a->quick ? 6 : 0), at, from);
    while (least < t->bits && !is_enough(&at[least]))
        least++;
    /* The target; then one bit too few, and the fewest that will do. */
    for (unsigned i = 0; i < 3; i++) {
        unsigned b = i == 0 ? t->bits : least - 2 + i;
        struct row r = {.mode = "none",
                        .wanted = t->wanted,
                        .bits = b,
                        .drops_allowed = i == 0 ? t->drops : (double)NAN,
                        .passes_allowed = t->passes,
                        .keys = o.memory * 8 / b,
                        .memory = info.memory,
                        .n = at[b]};

        snprintf(r.params, sizeof r.params, "%s", info.params);
        if (i == 0 || (b >= from && b < t->bits))
            print_row(a, &r);
    }
    freshet_free(f);
}

/* ---- With it ---------------------------------------------------------- */

static struct row run_window(const struct accuracy *a, const struct target *t,
                             unsigned bits, uint64_t batches)
{
    struct row r = {.mode = "told",
                    .wanted = t->wanted,
                    .bits = bits,
                    .drops_allowed = (double)NAN,
                    .keys = window_keys(a)};
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .memory = r.keys * bits / 8,
                         .false_drop_rate = t->wanted,
                         .window = r.keys,
                         .seed = 1};
    freshet *f = open_filter(&o);
    uint64_t next = r.keys * 6; /* steady by then */

    offer_range(f, 0, next);
    for (uint64_t end = next + batches * BATCH; next < end; next++) {
        if (next / BATCH % t->ask_every == 0) {
            r.n.asked++;
            r.n.missed += query_range(f, next - r.keys, 1);
        }
        r.n.fresh++;
        r.n.dropped += 1 - offer_range(f, next, 1);
    }
    r.memory = info_of(f).memory;
    r.slots = info_of(f).slots;
    snprintf(r.params, sizeof r.params, "%s", info_of(f).params);
    freshet_free(f);
    return r;
}

/* At the target's bits; then one bit too few, and the fewest that will do. */
static void measure_window(struct accuracy *a, const struct target *t)
{
    uint64_t batches = (a->quick ? t->batches >> 6 : t->batches) / 2;
    struct target each = *t;
    struct row r = run_window(a, t, t->bits, batches), low = r, high = r;

    print_row(a, &r);
    each.ask_every = 1;
    batches = batches / t->ask_every;
    /* Full to the last slot is too few, twice the memory is enough. */
    low.bits = floor((double)r.memory * 8 / (double)r.slots);
    high.bits = 2 * low.bits;
    while (high.bits - low.bits > 1) {
        unsigned middle = (unsigned)(low.bits + high.bits) / 2;

        r = run_window(a, &each, middle, batches);
        *(is_enough(&r.n) ? &high : &low) = r;
    }
    if (low.bits != t->bits)
        print_row(a, &low);
    if (high.bits != t->bits)
        print_row(a, &high);
}

/* ---- While memory suffices -------------------------------------------- */

/* Every key once, then every key again. */
static void measure_exact(struct accuracy *a, double wanted, bool told)
{
    struct row r = {.mode = told ? "told" : "none",
                    .wanted = wanted,
                    .bits = 128,
                    .keys = a->quick ? 10000 : 10000000};
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .memory = r.keys * 16,
                         .false_drop_rate = wanted,
                         .window = told ? r.keys : 0,
                         .seed = 1};
    freshet *f = open_filter(&o);

    r.n.fresh = r.n.asked = r.keys;
    r.n.dropped = r.keys - offer_range(f, 0, r.keys);
    r.n.missed = offer_range(f, 0, r.keys);
    r.memory = info_of(f).memory;
    snprintf(r.params, sizeof r.params, "%s", info_of(f).params);
    print_row(a, &r);
    freshet_free(f);
}

void accuracy_pocket(struct accuracy *a)
{
    static const double wanted[] = {0.1, 1e-3, 1e-6, 1e-12};

    print_columns(a);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        measure_stack(a, &targets[i]);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        measure_exact(a, wanted[i], false);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        measure_window(a, &targets[i]);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        measure_exact(a, wanted[i], true);
}
