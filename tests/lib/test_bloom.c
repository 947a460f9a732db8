/*
 * test_bloom.c - what is true of the Bloom filters that never forget
 */
#include "harness.h"

static const char *const both[] = {"bloom", "counting"};

static void assert_params(const freshet_options *options, const char *expected)
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    if (freshet_plan(&planned, options, &err) < 0)
        fail_msg("%s", err.message);
    assert_string_equal(planned.params, expected);
}

/* About 8 bits a key ask for 8 ln 2 = 5.5 of them; 1 % for log2 100 = 6.6. */
static void k_follows_from_the_keys_or_the_rate(void **state)
{
    (void)state;
    assert_params(OPTIONS(.algorithm = "bloom", .memory = 1 << 20,
                          .expect = 1 << 20),
                  "k=6");
    assert_params(OPTIONS(.algorithm = "counting", .memory = 1 << 20,
                          .expect = 1 << 18),
                  "k=6");
    assert_params(OPTIONS(.algorithm = "bloom", .memory = 1 << 20,
                          .false_drop_rate = 0.01),
                  "k=7");
    assert_params(OPTIONS(.algorithm = "bloom", .memory = 1 << 20,
                          .expect = 1 << 20, .params = "k=3"),
                  "k=3");
    assert_params(OPTIONS(.algorithm = "bloom", .memory = 1 << 20,
                          .expect = UINT64_C(1) << 40),
                  "k=1");
    assert_params(OPTIONS(.algorithm = "bloom", .memory = 1 << 20, .expect = 1),
                  "k=32");
}

static void false_drops_follow_the_formula(void **state)
{
    enum { UNIVERSE = 60000, RECORDS = 120000 };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        freshet *f = make_filter(.algorithm = both[i], .memory = 1 << 16,
                                 .params = "k=4", .seed = 3);
        freshet_rates r = expect_of(f, (freshet_workload){
                                           .distinct = UNIVERSE,
                                           .records = RECORDS,
                                       });
        struct drawn d = draw_from(f, UNIVERSE, RECORDS);

        assert_rate(d.drops, d.fresh, r.false_drop, 0.01);
        assert_near(r.false_pass, 0, 0);
        assert_int_equal(d.passes, 0);
        freshet_free(f);
    }
}

static void false_drops_are_told_from_the_fill(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint64_t wrong = 0;
        freshet *f = make_filter(.algorithm = both[i], .memory = 1 << 16,
                                 .expect = 20000, .seed = 3);
        freshet_rates r = expect_of(f, (freshet_workload){.distinct = 20000});

        for (uint64_t key = 0; key < 20000; key++)
            offer(f, key);
        for (uint64_t key = 20000; key < 220000; key++)
            wrong += query(f, key) == FRESHET_SEEN;
        assert_rate(wrong, 200000, info_of(f).false_drop, 0);
        assert_near(info_of(f).false_drop, r.false_drop, r.false_drop / 10);
        freshet_free(f);
    }
}

static void an_endless_stream_ends_in_false_drops(void **state)
{
    freshet *f = make_filter(.algorithm = "bloom", .memory = 1 << 16);
    freshet_rates r = expect_of(f, (freshet_workload){.gap = 1000000});

    (void)state;
    assert_near(r.false_drop, 1, 0);
    assert_near(r.false_pass, 0, 0);
    assert_true(isinf(r.reach));
    freshet_free(f);
}

static void holding_more_than_planned_is_told(void **state)
{
    const freshet_options plans[] = {
        {.expect = 5000, .false_drop_rate = 0.5},
        {.false_drop_rate = 0.001},
    };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        freshet_options o = plans[i / 2];
        uint64_t room = 5000, key = 0;
        freshet *f;

        o.size = sizeof o;
        o.algorithm = both[i % 2];
        o.memory = 1 << 16;
        o.seed = 3;
        f = make_filter_(&o);
        if (!o.expect) /* 14.4 bits or cells a key */
            room = i % 2 ? 9100 : 36400;
        while (key < room * 95 / 100)
            offer(f, key++);
        assert_false(info_of(f).over_plan);
        while (key < room * 105 / 100)
            offer(f, key++);
        assert_true(info_of(f).over_plan);
        assert_int_equal(info_of(f).forgotten, 0);
        freshet_free(f);
    }
}

static void merging_is_as_good_as_offering_both(void **state)
{
    freshet *a = make_filter(.algorithm = "bloom", .memory = 4096, .seed = 7);
    freshet *b = make_filter(.algorithm = "bloom", .memory = 4096, .seed = 7);
    freshet *c = make_filter(.algorithm = "bloom", .memory = 4096, .seed = 7);

    (void)state;
    for (uint64_t key = 0; key < 1000; key++) {
        offer(key % 3 ? a : b, key);
        offer(c, key);
    }
    assert_int_equal(freshet_merge(a, b, NULL), FRESHET_OK);
    assert_same_state(a, c);
    freshet_free(a);
    freshet_free(b);
    freshet_free(c);
}

/* ---- Forgetting ------------------------------------------------------- */

static int forget(freshet *f, uint64_t key)
{
    return freshet_forget(f, &key, sizeof key);
}

static void forgetting_all_leaves_nothing(void **state)
{
    freshet *f =
        make_filter(.algorithm = "counting", .memory = 1 << 16, .seed = 3);
    freshet *empty =
        make_filter(.algorithm = "counting", .memory = 1 << 16, .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 2000; key++)
        assert_int_equal(offer(f, key), FRESHET_NEW);
    for (uint64_t key = 0; key < 1000; key++)
        assert_int_equal(forget(f, key), 1);
    for (uint64_t key = 0; key < 2000; key++)
        assert_int_equal(query(f, key), key >= 1000);
    for (uint64_t key = 1000; key < 2000; key++)
        assert_int_equal(forget(f, key), 1);
    assert_same_state(f, empty);
    freshet_free(f);
    freshet_free(empty);
}

static void repeats_are_counted_once(void **state)
{
    freshet *f =
        make_filter(.algorithm = "counting", .memory = 4096, .seed = 3);

    (void)state;
    for (int i = 0; i < 100; i++)
        offer(f, 1);
    assert_int_equal(forget(f, 1), 1);
    assert_int_equal(query(f, 1), FRESHET_NEW);
    assert_int_equal(forget(f, 1), 0);
    freshet_free(f);
}

/* Each merge with its like doubles what a filter counted: 1, 2, 4, 8, 15. */
static void redouble(freshet *f)
{
    struct copy twin = copy_of(f);

    assert_int_equal(freshet_merge(f, twin.filter, NULL), FRESHET_OK);
    release(&twin);
}

static void a_full_counter_stays_full(void **state)
{
    freshet *f = make_filter(.algorithm = "counting", .memory = 1 << 16,
                             .params = "k=4", .seed = 3);

    (void)state;
    offer(f, 1);
    for (int i = 0; i < 3; i++)
        redouble(f);
    for (int i = 0; i < 8; i++)
        assert_int_equal(forget(f, 1), 1);
    assert_int_equal(query(f, 1), FRESHET_NEW);
    offer(f, 1);
    for (int i = 0; i < 4; i++)
        redouble(f);
    for (int i = 0; i < 100; i++)
        assert_int_equal(forget(f, 1), 1);
    assert_int_equal(query(f, 1), FRESHET_SEEN);
    assert_int_equal(info_of(f).used, 4);
    freshet_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_follows_from_the_keys_or_the_rate),
        cmocka_unit_test(false_drops_follow_the_formula),
        cmocka_unit_test(false_drops_are_told_from_the_fill),
        cmocka_unit_test(an_endless_stream_ends_in_false_drops),
        cmocka_unit_test(holding_more_than_planned_is_told),
        cmocka_unit_test(merging_is_as_good_as_offering_both),
        cmocka_unit_test(forgetting_all_leaves_nothing),
        cmocka_unit_test(repeats_are_counted_once),
        cmocka_unit_test(a_full_counter_stays_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
