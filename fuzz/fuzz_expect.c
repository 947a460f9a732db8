/*
 * fuzz_expect.c - predicted rates are rates
 *
 * Whatever the options and the stream, what is predicted is unknown or in
 * range, and the same for a filter that is made as for one that is not.  Some
 * predictions follow a stream step by step, so that this is slower than
 * fuzz_options, which plans only.
 */
#include <math.h>

#include "asked.h"

enum { MOST_GAPS = 3 };

static double take_double(struct input *in)
{
    uint64_t bits = take(in, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static freshet_workload take_workload(struct input *in, freshet_gap *gaps)
{
    freshet_workload w = {.size = sizeof w};
    uint64_t about;

    w.distinct = take(in, 8);
    w.records = take(in, 8);
    w.gap = take(in, 8);
    about = take(in, 1);
    w.published = about & 1;
    w.span = about & 2 ? take(in, 8) : 0;
    w.frequency = about & 4 ? take_double(in) : 0;
    w.deviation = about & 8 ? take_double(in) : 0;
    w.gap_count = about >> 4 & MOST_GAPS;
    for (uint64_t i = 0; i < w.gap_count; i++) {
        gaps[i].gap = take(in, 8);
        gaps[i].span = w.span;
        gaps[i].share = take_double(in);
    }
    w.gaps = w.gap_count ? gaps : NULL;
    return w;
}

static int is_rate(double x)
{
    return isnan(x) || (x >= 0 && x <= 1);
}

static void must_be_rates(const freshet_rates *r)
{
    MUST(is_rate(r->false_drop) && is_rate(r->false_pass));
    MUST(is_rate(r->drop_bound) && is_rate(r->stable_fill));
    MUST(isnan(r->reach) || r->reach >= 0);
    MUST(isnan(r->stable_after) || r->stable_after >= 0);
}

static int same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

/* A filter that is made is expected to do the same. */
static void expect_of_filter(const freshet_options *o,
                             const freshet_workload *w, const freshet_rates *r)
{
    freshet_rates made = {.size = sizeof made};
    freshet *f;

    MUST(freshet_create(&f, o, NULL) == FRESHET_OK);
    MUST(freshet_expect(&made, f, w, NULL) == FRESHET_OK);
    MUST(same(made.false_drop, r->false_drop));
    MUST(same(made.false_pass, r->false_pass));
    freshet_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct asked a = read_asked(&in);
    freshet_gap gaps[MOST_GAPS];
    freshet_workload w = take_workload(&in, gaps);
    freshet_rates r = {.size = sizeof r};
    freshet_error err = {0};
    int status = freshet_expect_options(&r, &a.o, &w, &err);

    if (status < 0)
        refused(status, &err);
    else if (!w.published)
        must_be_rates(&r);
    if (status == FRESHET_OK && a.about & 128 && a.o.memory <= 1 << 16 &&
        a.o.memory)
        expect_of_filter(&a.o, &w, &r);
    free_asked(&a);
    return 0;
}
