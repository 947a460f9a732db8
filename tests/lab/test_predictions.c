/*
 * test_predictions.c - what the plan says beforehand, against measurements
 *
 * Twenty streams to which no formula was ever fitted, every algorithm that has
 * a formula: each prediction within 20 % of what is measured, or 0.2 points.
 */
#include "harness.h"

#include "measure.h"

#define SHARE  0.2
#define POINTS 0.002

/* Seeds are fixed: what holds, holds always.  Half of the endless streams is
   far more than any of these filters needs to become steady. */
static const struct workload {
    const char *stream;
    uint64_t memory;
    double error;
} workloads[] = {
    {"uniform:n=2e5,distinct=15%", 16 << 10, 0.01},
    {"uniform:n=2e5,distinct=15%", 96 << 10, 1e-6},
    {"uniform:n=3e5,distinct=40%", 32 << 10, 0.001},
    {"uniform:n=1e5,distinct=75%", 48 << 10, 0.01},
    {"uniform:n=4e5,distinct=5%", 24 << 10, 0.05},
    {"uniform:n=15e4,distinct=90%", 128 << 10, 0.001},
    {"endless:n=2e6,repeats=5%,gap=900,shape=fixed", 6 << 10, 0.01},
    {"endless:n=2e6,repeats=5%,gap=3000,shape=uniform", 6 << 10, 1e-6},
    {"endless:n=2e6,repeats=5%,gap=8000,shape=loguniform", 8 << 10, 0.01},
    {"endless:n=2e6,repeats=5%,gap=2000,shape=exponential", 7 << 10, 0.001},
    {"uniform:n=25e4,distinct=25%", 20 << 10, 0.005},
    {"uniform:n=12e4,distinct=50%", 64 << 10, 1e-4},
    {"uniform:n=35e4,distinct=10%", 40 << 10, 0.02},
    {"uniform:n=2e5,distinct=60%", 24 << 10, 0.01},
    {"uniform:n=18e4,distinct=80%", 200 << 10, 1e-6},
    {"uniform:n=5e5,distinct=3%", 12 << 10, 0.001},
    {"endless:n=2e6,repeats=5%,gap=1500,shape=fixed", 9 << 10, 1e-4},
    {"endless:n=2e6,repeats=5%,gap=5000,shape=uniform", 10 << 10, 0.02},
    {"endless:n=2e6,repeats=5%,gap=12000,shape=loguniform", 10 << 10, 0.001},
    {"endless:n=2e6,repeats=5%,gap=1200,shape=exponential", 5 << 10, 0.005},
};

struct counts {
    unsigned compared, wrong;
};

static void compare(struct counts *n, const struct workload *w,
                    const char *name, const char *what, double measured,
                    double predicted, uint64_t of)
{
    double noise = 4 * sqrt(predicted * (1 - predicted) / (double)of);
    bool good;

    if (isnan(predicted) || of == 0)
        return;
    good = fabs(measured - predicted) <= fmax(POINTS, SHARE * measured) + noise;
    n->compared++;
    n->wrong += !good;
    if (!good || getenv("VERBOSE"))
        printf("%s %-8s %s: measured %.4f %%, predicted %.4f %%%s\n", w->stream,
               name, what, 100 * measured, 100 * predicted,
               good ? "" : ": WRONG");
}

static void run(struct counts *n, const struct workload *w,
                const struct stream *s, const char *name)
{
    struct measure m = {.stream = s,
                        .options =
                            *OPTIONS(.algorithm = name, .memory = w->memory,
                                     .false_drop_rate = w->error, .seed = 1)};
    const struct error_count *t =
        s->workload[0].distinct ? &m.end.tally : &m.steady;
    struct fault why;

    if (!measure_run(&m, &why))
        fail_msg("%s: %s", name, why.text);
    compare(n, w, name, "false drops", error_count_false_drops(t),
            m.theory.false_drop, error_count_new(t));
    compare(n, w, name, "false passes", error_count_false_passes(t),
            m.theory.false_pass, t->repeats);
}

static void every_prediction_is_near(void **state)
{
    const freshet_algorithm *a;
    struct counts n = {0};

    (void)state;
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        struct stream s;
        struct fault why;

        if (!stream_of_spec(&s, workloads[i].stream, 77, &why))
            fail_msg("%s", why.text);
        for (size_t k = 0; (a = freshet_algorithm_at(k)); k++)
            run(&n, &workloads[i], &s, a->name);
    }
    printf("%u predictions, %u wrong\n", n.compared, n.wrong);
    assert_true(n.compared > 800);
    assert_int_equal(n.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prediction_is_near),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
