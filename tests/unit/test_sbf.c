/*
 * test_sbf.c - what is true of the stable Bloom filter alone
 *
 * What must be true of every algorithm is in test_conformance.c.
 */
#include "harness.h"

static void parameters(const char *params, double rate, const char *expected)
{
    freshet_planned planned = {.size = sizeof planned};

    assert_int_equal(freshet_plan(&planned,
                                  OPTIONS(.algorithm = "sbf", .memory = 1 << 20,
                                          .false_drop_rate = rate,
                                          .params = params),
                                  NULL),
                     FRESHET_OK);
    if (strncmp(planned.params, expected, strlen(expected)) != 0)
        fail_msg("%s at %g gives %s, not %s", params, rate, planned.params,
                 expected);
}

/* The settings the paper names in sections 4.1 and 5.3. */
static void parameters_come_out_as_in_the_paper(void **state)
{
    (void)state;
    parameters("", 0.1, "d=1,k=2,p=4.3");
    parameters("", 0.01, "d=1,k=3,p=10.9");
    parameters("d=4", 0.01, "d=4,k=6,p=14");
}

static void false_drops_settle_at_the_wanted_rate(void **state)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = 1 << 16,
                             .false_drop_rate = 0.01, .seed = 3);
    uint64_t wrong = 0, key = 0;

    (void)state;
    for (; key < 2000000; key++)
        offer(f, key);
    for (; key < 3000000; key++)
        wrong += offer(f, key) == FRESHET_SEEN;
    assert_rate(wrong, 1000000, 0.01, 0.01);
    assert_near(info_of(f).false_drop, 0.01, 0.0005);
    freshet_free(f);
}

/* Repeats planted at one gap in a stream of new keys. */
static void false_passes_follow_equation_14(void **state)
{
    const uint64_t gap = 5000;

    (void)state;
    for (unsigned d = 1; d <= 4; d *= 2) {
        char params[16];
        freshet *f;
        uint64_t missed = 0, asked = 0;

        snprintf(params, sizeof params, "d=%u,k=3", d);
        f = make_filter(.algorithm = "sbf", .memory = 1 << 16, .params = params,
                        .false_drop_rate = 0.01, .seed = 3);
        for (uint64_t key = 0; key < 1000000; key++) {
            offer(f, key);
            if (key > 200000 && key % 5 == 0) {
                asked++;
                missed += query(f, key - gap) == FRESHET_NEW;
            }
        }
        assert_rate(missed, asked,
                    expect_of(f, (freshet_workload){.gap = gap}).false_pass,
                    0.02);
        freshet_free(f);
    }
}

static void odd_cell_widths_are_refused(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .algorithm = "sbf", .memory = 4096,
                                .params = "d=3"),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "d=3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_come_out_as_in_the_paper),
        cmocka_unit_test(false_drops_settle_at_the_wanted_rate),
        cmocka_unit_test(false_passes_follow_equation_14),
        cmocka_unit_test(odd_cell_widths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
