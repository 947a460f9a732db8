/*
 * test_bounds.c - what is called "at most" is not exceeded
 *
 * Where an algorithm has a bound of its false drops, no stretch of a stream
 * may have more, but for the chance of the binomial.
 */
#include "harness.h"

enum { STRETCHES = 8 };

static const double wanted[] = {0.5, 0.3, 0.2, 0.1, 0.05, 0.01, 1e-3, 1e-9};

struct trial {
    const char *algorithm, *params;
    uint64_t memory, window, keys;
};

/* Five standard deviations above the bound. */
static void assert_below(const freshet *f, double drops, double n, double most)
{
    double limit = most + 5 * sqrt(most * (1 - most) / n) + 5 / n;

    if (drops / n > limit)
        fail_msg("%s:%s in %g bytes: %g of new keys dropped, at most %g told",
                 info_of(f).algorithm, info_of(f).params,
                 (double)info_of(f).memory, drops / n, most);
}

/* All keys are new: from an empty filter to one that has long been full. */
static void try_rate(const struct trial *t, double rate)
{
    freshet_options o = {.size = sizeof o,
                         .algorithm = t->algorithm,
                         .params = t->params,
                         .memory = t->memory,
                         .window = t->window,
                         .false_drop_rate = rate,
                         .seed = 7};
    freshet *f;
    double most;

    if (freshet_create(&f, &o, NULL) < 0)
        return; /* this rate cannot be had in this memory */
    most = expect_of(f, (freshet_workload){.gap = 1}).drop_bound;
    for (uint64_t i = 0, key = 0; !isnan(most) && i < STRETCHES; i++) {
        double drops = 0, n = (double)(t->keys / STRETCHES);

        for (uint64_t j = 0; j < t->keys / STRETCHES; j++)
            drops += offer(f, key++) == FRESHET_SEEN;
        assert_below(f, drops, n, most);
    }
    freshet_free(f);
}

static void try_rates(const struct trial *t)
{
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        try_rate(t, wanted[i]);
}

static void no_stretch_drops_more_than_the_bound(void **state)
{
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        try_rates(&(struct trial){a->name, "", 4096, 0, 20000});
        try_rates(&(struct trial){a->name, "", 65536, 0, 120000});
    }
}

/* Groups of two lines, in which fingerprints differ most from each other. */
static void pocket_keeps_its_bound_in_any_shape(void **state)
{
    const char *params[] = {"", "choices=1", "refresh=0"};

    (void)state;
    for (size_t i = 0; i < sizeof params / sizeof *params; i++)
        for (uint64_t memory = 1024; memory <= 65536; memory *= 8) {
            struct trial t = {"pocket", params[i], memory, 0, 2 * memory};

            try_rates(&t);
            t.window = memory;
            try_rates(&t);
        }
}

/* A wish is granted: the bound lies within it. */
static void pocket_plans_for_its_bound(void **state)
{
    (void)state;
    for (double rate = 0x1p-60; rate < 0.9; rate *= 1.1) {
        freshet *f = make_filter(.memory = 8192, .false_drop_rate = rate);
        freshet_rates r = expect_of(f, (freshet_workload){.gap = 1});

        assert_true(r.false_drop <= r.drop_bound);
        assert_true(r.drop_bound <= rate);
        freshet_free(f);
    }
}

/* What never forgets has a bound for the keys it is told of. */
static void known_keys_have_a_bound(void **state)
{
    const char *names[] = {"set", "bloom", "counting", "pocket"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint64_t keys = 2000; keys <= 500000; keys *= 2) {
            freshet *f =
                make_filter(.algorithm = names[i], .memory = 65536,
                            .expect = keys, .seed = 7, .false_drop_rate = 0.3);
            freshet_workload w = {.distinct = keys};
            double drops = 0;

            for (uint64_t key = 0; key < keys; key++)
                drops += offer(f, key) == FRESHET_SEEN;
            assert_below(f, drops, (double)keys, expect_of(f, w).drop_bound);
            freshet_free(f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stretch_drops_more_than_the_bound),
        cmocka_unit_test(pocket_keeps_its_bound_in_any_shape),
        cmocka_unit_test(pocket_plans_for_its_bound),
        cmocka_unit_test(known_keys_have_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
