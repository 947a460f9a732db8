/*
 * curves.c - measured beside predicted, for the figures of doc/pocket.md
 *
 *     curves passes     false passes against the gap
 *     curves filling    false drops and width while a filter fills
 *     curves window     the chance of being seen against age
 *
 * Each prints a CSV.  Predictions are freshet_expect()'s or its formulas.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "freshet.h"

#define LINE UINT64_C(64) /* bytes */

enum { STACK = 496 }; /* bits of a line for fingerprints, without a window */
enum { BATCH = 256 };

/* ---- Filters and keys ------------------------------------------------- */

static _Noreturn void die(const char *why)
{
    fflush(stdout);
    fprintf(stderr, "curves: %s\n", why);
    exit(2);
}

static freshet *open_filter(const freshet_options *options)
{
    freshet_error err;
    freshet *f;

    if (freshet_create(&f, options, &err) < 0)
        die(err.message);
    return f;
}

static freshet_info info_of(const freshet *f)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(f, &info);
    return info;
}

/* Returns how many of the numbers from..from + n are new as keys of f, or of
   asked if f is NULL, which then stays as it is. */
static uint64_t run_range(freshet *f, const freshet *asked, uint64_t from,
                          uint64_t n)
{
    freshet_hash key[BATCH];
    uint8_t seen[BATCH];
    uint64_t fresh = 0;

    for (uint64_t i = 0; i < n; i += BATCH) {
        size_t part = n - i < BATCH ? n - i : BATCH;

        for (size_t k = 0; k < part; k++) {
            uint64_t number = from + i + k;

            key[k] = freshet_hash_key(asked, &number, sizeof number);
        }
        fresh += f ? freshet_offer_batch(f, key, part, seen)
                   : freshet_query_batch(asked, key, part, seen);
    }
    return fresh;
}

static uint64_t offer_range(freshet *f, uint64_t from, uint64_t n)
{
    return run_range(f, f, from, n);
}

static uint64_t query_range(const freshet *f, uint64_t from, uint64_t n)
{
    return run_range(NULL, f, from, n);
}

static freshet_rates rates_of(const freshet *f, freshet_workload w)
{
    freshet_rates r = {.size = sizeof r};
    freshet_error err;

    w.size = sizeof w;
    if (freshet_expect(&r, f, &w, &err) < 0)
        die(err.message);
    return r;
}

/* ---- False passes against the gap ------------------------------------- */

enum { GAPS = 24 };

/* Offers steps * BATCH keys from *next on; after each batch, keys of each gap
   are queried, which is their gap on average over the batch. */
static void plant(freshet *f, uint64_t *next, uint64_t steps,
                  const uint64_t *gap, uint64_t *missed, size_t gaps)
{
    for (uint64_t i = 0; i < steps; i++) {
        offer_range(f, *next, BATCH);
        *next += BATCH;
        for (size_t g = 0; g < gaps; g++)
            missed[g] += query_range(f, *next - gap[g] - BATCH / 2, BATCH);
    }
}

static void passes_of(unsigned choices, unsigned width, uint64_t lines,
                      uint64_t steps)
{
    char params[32];
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .params = params,
                         .memory = lines * LINE + 8192,
                         .seed = 1};
    unsigned slots = STACK / width;
    uint64_t gap[GAPS], missed[GAPS] = {0}, next = 0;
    size_t gaps = 0;
    freshet *f;

    snprintf(params, sizeof params, "choices=%u,width=%u", choices, width);
    f = open_filter(&o);
    lines = info_of(f).slots / slots;
    for (unsigned i = 0; i < GAPS; i++) {
        /* With two choices the rate changes within the last few slots. */
        double spare = choices == 1 ? slots * (double)i / GAPS : i * 0.5;

        if (spare < slots)
            gap[gaps++] = (uint64_t)((slots - spare) * (double)lines);
    }
    next = lines * slots * 3; /* steady by then */
    offer_range(f, 0, next);
    plant(f, &next, steps, gap, missed, gaps);
    for (size_t g = 0; g < gaps; g++)
        printf("%u,%u,%u,%.4f,%llu,%llu,%.4g,%.4g\n", choices, width, slots,
               (double)gap[g] / (double)lines,
               (unsigned long long)(steps * BATCH),
               (unsigned long long)missed[g],
               (double)missed[g] / (double)(steps * BATCH),
               rates_of(f, (freshet_workload){.gap = gap[g]}).false_pass);
    fflush(stdout);
    freshet_free(f);
}

static void passes(bool quick)
{
    static const unsigned widths[] = {64, 48, 32, 26, 20, 16, 13, 12, 10};
    uint64_t lines = quick ? 1 << 10 : 1 << 15, steps = quick ? 200 : 30000;

    puts("choices,width,slots,load,asked,missed,measured,predicted");
    for (unsigned choices = 1; choices <= 2; choices++)
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            passes_of(choices, widths[i], lines, steps);
}

/* ---- False drops and width while filling ------------------------------ */

/* As lib/algo/pocket.c has it: lines all equally full, each at the greatest
   width that has room for one more. */
static double drop_when_filled(double load, unsigned last)
{
    static const unsigned steps[] = {64, 48, 32, 24, 16, 12, 10, 8};
    unsigned width = last;

    /* A line has a whole number of slots.
       NOLINTBEGIN(bugprone-integer-division) */
    for (size_t i = sizeof steps / sizeof *steps; i-- > 0;)
        if (steps[i] > last && STACK / steps[i] >= load + 1)
            width = steps[i];
    return -expm1(2 * fmin(load, STACK / last) * log1p(-exp2(-(double)width)));
    /* NOLINTEND(bugprone-integer-division) */
}

/*
 * The chance of a false drop is computed from what the lines hold, because at
 * 64 bits none would be counted.  It is also counted where there are enough new
 * keys.  The width follows from that chance, as an average over the lines.
 */
static void filling_of(double wanted, uint64_t lines, uint64_t strangers)
{
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .memory = lines * LINE + 8192,
                         .false_drop_rate = wanted,
                         .seed = 1};
    freshet *f = open_filter(&o);
    unsigned last = (unsigned)strtoul(info_of(f).params + 6, NULL, 10);
    uint64_t next = 0;

    lines = info_of(f).slots / (STACK / last); /* width=13,... */
    for (unsigned load = 1; load <= 60; load++) {
        uint64_t known;
        freshet_info info;

        offer_range(f, next, load * lines - next);
        next = load * lines;
        info = info_of(f);
        known =
            strangers - query_range(f, next + (UINT64_C(1) << 40), strangers);
        printf("%g,%u,%.4g,%.4g,%.4g,%.2f\n", wanted, load, info.false_drop,
               (double)known / (double)strangers, drop_when_filled(load, last),
               log2(2 * (double)info.used / (double)lines / info.false_drop));
    }
    fflush(stdout);
    freshet_free(f);
}

static void filling(bool quick)
{
    uint64_t lines = quick ? 1 << 10 : 1 << 15;

    puts("wanted,load,from_contents,counted,predicted,width");
    filling_of(0.01, lines, quick ? 10240 : 2560000);
    filling_of(1e-6, lines, quick ? 10240 : 2560000);
}

/* ---- The end of a window ---------------------------------------------- */

enum { WINDOW = 1 << 17, AGES = 61 };

static uint64_t age_at(int i)
{
    return WINDOW * UINT64_C(9) / 10 + (uint64_t)i * WINDOW / 200;
}

/* Queries at many moments, so that all phases of a generation count alike. */
static void window(bool quick)
{
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .memory = WINDOW * UINT64_C(8),
                         .window = WINDOW,
                         .seed = 1};
    freshet *f = open_filter(&o);
    uint64_t missed[AGES] = {0}, next = UINT64_C(3) * WINDOW, asked = 0;
    uint64_t step = 61, end = next + (quick ? 1u : 20u) * WINDOW;

    offer_range(f, 0, next);
    for (; next + step < end; next += step, asked++) {
        offer_range(f, next, step);
        for (int i = 0; i < AGES; i++)
            missed[i] += query_range(f, next + step - age_at(i), 1);
    }
    puts("age,asked,seen,predicted");
    for (int i = 0; i < AGES; i++) {
        double age = (double)age_at(i) / WINDOW;

        printf("%.4f,%llu,%.5f,%.5f\n", age, (unsigned long long)asked,
               1 - (double)missed[i] / (double)asked,
               age <= 1 ? 1 : fmax(0, 9 - 8 * age));
    }
    freshet_free(f);
}

int main(int argc, char **argv)
{
    bool quick = argc > 2 && strcmp(argv[2], "--quick") == 0;
    const char *name = argc > 1 ? argv[1] : "";

    if (strcmp(name, "passes") == 0)
        passes(quick);
    else if (strcmp(name, "filling") == 0)
        filling(quick);
    else if (strcmp(name, "window") == 0)
        window(quick);
    else
        die("usage: curves passes|filling|window [--quick]");
    if (fflush(stdout) || ferror(stdout))
        die("cannot write");
    return 0;
}
