/*
 * test_pocket_rates.c - how often the pocket filter is wrong
 */
#include "harness.h"

/* Keys unique but for a question about the one a gap ago, at each step. */
struct error_count {
    uint64_t asked, missed, fresh, dropped;
};

static struct error_count plant(freshet *f, uint64_t gap, uint64_t records)
{
    struct error_count t = {0};

    for (uint64_t key = 0; key < records; key++) {
        int seen = offer(f, key);

        if (key < records / 2) /* steady by then */
            continue;
        t.fresh++;
        t.dropped += seen == FRESHET_SEEN;
        t.asked++;
        t.missed += query(f, key - gap) == FRESHET_NEW;
    }
    return t;
}

static void false_drops_stay_within_the_wanted_rate(void **state)
{
    const double wanted[] = {0.1, 0.01, 0.001};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (unsigned choices = 1; choices <= 2; choices++) {
            freshet *f =
                make_filter(.algorithm = "pocket", .memory = 1 << 16, .seed = 3,
                            .false_drop_rate = wanted[i],
                            .params = choices == 1 ? "choices=1" : "choices=2");
            struct error_count t = plant(f, 1, 400000);
            double expected =
                expect_of(f, (freshet_workload){.gap = 1}).false_drop;

            assert_true(expected <= wanted[i]);
            assert_rate(t.dropped, t.fresh, expected, 0.03);
            assert_near(info_of(f).false_drop, expected, expected * 0.03);
            assert_int_equal(t.missed, 0);
            freshet_free(f);
        }
}

/* The rows of our accuracy table, at the size of a test. */
static void false_passes_are_rare_inside_the_window(void **state)
{
    const struct {
        double wanted, bits;
    } row[] = {{0.01, 17}, {0.001, 23}, {1e-6, 80}, {1e-6, 45}};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const uint64_t memory = 1 << 18;
        uint64_t gap = (uint64_t)((double)memory * 8 / row[i].bits);
        freshet *f = make_filter(.algorithm = "pocket", .memory = memory,
                                 .false_drop_rate = row[i].wanted, .seed = 3);
        struct error_count t = plant(f, gap, 2000000);

        assert_true((double)t.dropped <= 1.1 * row[i].wanted * 1e6);
        assert_true(t.missed <= 50);
        freshet_free(f);
    }
}

static void with_one_choice_losses_are_poisson(void **state)
{
    freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 18,
                             .params = "choices=1,width=16", .seed = 3);
    const uint64_t gap = 4096 * 22;
    struct error_count t = plant(f, gap, 1600000);

    (void)state;
    assert_rate(t.missed, t.asked,
                expect_of(f, (freshet_workload){.gap = gap}).false_pass, 0.1);
    freshet_free(f);
}

/* One constant is fitted: within a factor of 1.5 where it matters. */
static void with_two_choices_losses_follow_the_fit(void **state)
{
    const char *params[] = {"width=12", "width=13", "width=16",
                            "width=26", "width=32", "width=64"};
    const unsigned slots[] = {41, 38, 31, 19, 15, 7};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (unsigned spare = 3; spare <= 5; spare++) {
            freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 18,
                                     .params = params[i], .seed = 3);
            uint64_t gap = (uint64_t)(slots[i] - spare) * 4032;
            struct error_count t = plant(f, gap, 1000000);
            double rate = (double)t.missed / (double)t.asked;
            double expected =
                expect_of(f, (freshet_workload){.gap = gap}).false_pass;

            if (!(rate < expected * 1.5 && rate > expected / 1.5))
                fail_msg("%s, %u to spare: %g, expected %g", params[i], spare,
                         rate, expected);
            freshet_free(f);
        }
}

static void reach_is_where_one_in_a_thousand_is_lost(void **state)
{
    freshet *f =
        make_filter(.algorithm = "pocket", .memory = 1 << 18, .seed = 3);
    double reach = expect_of(f, (freshet_workload){.gap = 1}).reach;
    struct error_count t = plant(f, (uint64_t)reach, 1000000);

    (void)state;
    assert_in_range(t.missed, t.asked / 5000, t.asked / 300);
    freshet_free(f);
}

/* A falsely dropped key lives on what it was mistaken for. */
static void refresh_keeps_what_was_falsely_dropped(void **state)
{
    uint64_t missed[2];

    (void)state;
    for (unsigned refresh = 0; refresh <= 1; refresh++) {
        freshet *f =
            make_filter(.algorithm = "pocket", .memory = 1 << 18, .seed = 3,
                        .params = refresh ? "width=13" : "width=13,refresh=0");

        missed[refresh] = plant(f, 60000, 1000000).missed;
        freshet_free(f);
    }
    assert_true(missed[0] > 1000);
    assert_true(missed[1] < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_drops_stay_within_the_wanted_rate),
        cmocka_unit_test(false_passes_are_rare_inside_the_window),
        cmocka_unit_test(with_one_choice_losses_are_poisson),
        cmocka_unit_test(with_two_choices_losses_follow_the_fit),
        cmocka_unit_test(reach_is_where_one_in_a_thousand_is_lost),
        cmocka_unit_test(refresh_keeps_what_was_falsely_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
