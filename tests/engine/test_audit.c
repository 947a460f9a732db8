/*
 * test_audit.c - the audit tells the truth about its sample
 */
#include <math.h>
#include <stdlib.h>

#include "audit.h"
#include "check.h"

enum { NEW = FRESHET_NEW, SEEN = FRESHET_SEEN };

#define assert_near(actual, wanted, slack)                                     \
    do {                                                                       \
        double a_ = (actual), w_ = (wanted);                                   \
        if (!(fabs(a_ - w_) <= (slack)))                                       \
            fail_msg(#actual " is %g, wanted %g +- %g", a_, w_,                \
                     (double)(slack));                                         \
    } while (0)

/* Any two integers give two hashes. */
static freshet_hash hash_of(uint64_t key)
{
    key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (freshet_hash){(key ^ key >> 29) * UINT64_C(0xd1b54a32d192ed03),
                          key};
}

static struct audit *make_audit(uint64_t bytes, uint64_t window, bool refresh)
{
    struct audit *a =
        audit_create(bytes, 1, (struct audit_window){window, refresh});

    assert_non_null(a);
    return a;
}

static struct audit_report report_of(const struct audit *a)
{
    struct audit_report r;

    audit_get_report(a, &r);
    return r;
}

#define assert_counts(a, new_, dropped, repeats, passed, either_)              \
    do {                                                                       \
        struct audit_report r_ = report_of(a);                                 \
        assert_int_equal(r_.false_drop.n, new_);                               \
        assert_int_equal(r_.false_drop.wrong, dropped);                        \
        assert_int_equal(r_.false_pass.n, repeats);                            \
        assert_int_equal(r_.false_pass.wrong, passed);                         \
        assert_int_equal(r_.either, either_);                                  \
    } while (0)

static void new_and_repeat_are_counted_right_and_wrong(void **state)
{
    struct audit *a = make_audit(1 << 16, 0, false);

    (void)state;
    audit_record(a, hash_of(1), NEW, 0);
    audit_record(a, hash_of(1), SEEN, 1);
    audit_record(a, hash_of(2), SEEN, 2); /* a false drop */
    audit_record(a, hash_of(2), SEEN, 3);
    audit_record(a, hash_of(1), NEW, UINT64_MAX); /* a false pass */
    assert_counts(a, 2, 1, 3, 1, 0);
    assert_near(report_of(a).false_drop.rate, 0.5, 0);
    assert_near(report_of(a).false_pass.rate, 1.0 / 3, 1e-15);
    assert_near(report_of(a).share, 1, 0);
    assert_int_equal(report_of(a).keys, 2);
    audit_free(a);
}

static void the_hash_of_zero_is_a_key_like_any(void **state)
{
    struct audit *a = make_audit(1 << 16, 0, false);

    (void)state;
    audit_record(a, (freshet_hash){0, 0}, NEW, 0);
    audit_record(a, (freshet_hash){0, 0}, SEEN, 0);
    assert_counts(a, 1, 0, 1, 0, 0);
    audit_free(a);
}

static void a_window_counts_from_the_last_pass(void **state)
{
    struct audit *a = make_audit(1 << 16, 80, false);

    (void)state;
    audit_record(a, hash_of(1), NEW, 1000);
    audit_record(a, hash_of(1), SEEN, 1080); /* the window's last */
    assert_counts(a, 1, 0, 1, 0, 0);
    audit_record(a, hash_of(1), SEEN, 1081); /* either is right */
    audit_record(a, hash_of(1), SEEN, 1090);
    assert_counts(a, 1, 0, 1, 0, 2);
    audit_record(a, hash_of(1), NEW, 1091); /* new again */
    assert_counts(a, 2, 0, 1, 0, 2);
    audit_record(a, hash_of(1), NEW, 1172); /* either, and a window begins */
    audit_record(a, hash_of(1), NEW, 1173); /* a false pass begins one, too */
    assert_counts(a, 2, 0, 2, 1, 3);
    audit_record(a, hash_of(1), SEEN, 1253);
    assert_counts(a, 2, 0, 3, 1, 3);
    audit_record(a, hash_of(1), SEEN, 1264); /* a false drop */
    assert_counts(a, 3, 1, 3, 1, 3);
    audit_free(a);
}

static void refreshing_counts_from_the_last_record(void **state)
{
    struct audit *a = make_audit(1 << 16, 80, true);

    (void)state;
    for (uint64_t now = 0; now <= 800; now += 80)
        audit_record(a, hash_of(1), now ? SEEN : NEW, now);
    assert_counts(a, 1, 0, 10, 0, 0);
    audit_record(a, hash_of(1), SEEN, 885); /* either */
    audit_record(a, hash_of(1), SEEN, 965);
    assert_counts(a, 1, 0, 11, 0, 1);
    audit_record(a, hash_of(1), NEW, 1056);
    assert_counts(a, 2, 0, 11, 0, 1);
    audit_free(a);
}

static void time_going_back_stands_still(void **state)
{
    struct audit *a = make_audit(1 << 16, 10, true);

    (void)state;
    audit_record(a, hash_of(1), NEW, 100);
    audit_record(a, hash_of(1), SEEN, 50);
    audit_record(a, hash_of(1), SEEN, 110);
    assert_counts(a, 1, 0, 2, 0, 0);
    audit_free(a);
}

static void the_widest_window_is_for_ever(void **state)
{
    struct audit *a = make_audit(1 << 16, UINT64_MAX, false);

    (void)state;
    audit_record(a, hash_of(1), NEW, 0);
    audit_record(a, hash_of(1), SEEN, UINT64_MAX);
    assert_counts(a, 1, 0, 1, 0, 0);
    audit_free(a);
}

/* A stream with every key three times, 20000 keys apart, and verdicts that are
   wrong for one key in ten: what is left counts as if it had been all the
   sample ever. */
static void a_full_sample_halves_and_forgets_its_counts(void **state)
{
    enum { KEYS = 20000 };
    struct audit *a = make_audit(24 * 1000, 0, false);
    struct audit_report r;
    double kept;

    (void)state;
    for (uint64_t i = 0; i < 3 * KEYS; i++)
        audit_record(a, hash_of(i % KEYS), i < KEYS ? i % 10 == 0 : i % 10 != 0,
                     i);
    r = report_of(a);
    kept = KEYS * r.share;
    assert_in_range(r.keys, 200, 750);
    assert_true(r.share < 1.0 / 16 && r.share > 1.0 / 256);
    assert_near((double)r.false_drop.n, kept, 5 * sqrt(kept));
    assert_near((double)r.false_pass.n, 2 * kept, 5 * sqrt(2 * kept));
    assert_true(r.false_drop.low < 0.1 && r.false_drop.high > 0.1);
    assert_true(r.false_pass.low < 0.1 && r.false_pass.high > 0.1);
    audit_free(a);
}

/* Half of all records are of one key, which is never passed falsely; all other
   repeats are.  A sample of keys would have the one or not. */
static void a_frequent_key_weighs_as_much_as_it_should(void **state)
{
    enum { N = 200000 };

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct audit *a =
            audit_create(24 * 1000, seed, (struct audit_window){0});
        struct audit_report r;

        assert_non_null(a);
        for (uint64_t i = 0; i < N; i++)
            audit_record(a, i % 2 ? hash_of(0) : hash_of(1 + i % 50000),
                         i % 2 && i > 1 ? SEEN : NEW, i);
        r = report_of(a);
        assert_true(r.share < 0.1);
        assert_near(r.false_pass.rate, 3.0 / 7, 0.05);
        audit_free(a);
    }
}

static void keys_past_their_window_make_room(void **state)
{
    struct audit *a = make_audit(24 * 1000, 300, false);

    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        audit_record(a, hash_of(i), NEW, i);
        if (i >= 300)
            audit_record(a, hash_of(i - 300), SEEN, i);
    }
    assert_counts(a, 100000, 0, 99700, 0, 0);
    assert_near(report_of(a).share, 1, 0);
    audit_free(a);
}

/* Against a list of when each of a few keys was last let through.  What comes
   after a new record that was dropped is the repeat of no pass. */
static void the_truth_is_that_of_a_list(void **state)
{
    enum { KEYS = 500, WINDOW = 700, EDGE = 788, NEVER = 0 };
    struct audit *a = make_audit(24 * 800, WINDOW, false);
    uint64_t since[KEYS] = {NEVER}, fresh = 0, repeats = 0, x = 1;
    bool passed[KEYS] = {false};

    (void)state;
    for (uint64_t now = 1; now < 200000; now++) {
        size_t key = (size_t)((x = x * 6364136223846793005u + 1) >> 33) % KEYS;
        int verdict = x >> 20 & 1;
        bool is_new = since[key] == NEVER || now - since[key] > EDGE;

        fresh += is_new;
        repeats += !is_new && passed[key] && now - since[key] <= WINDOW;
        if (is_new || verdict == NEW) {
            since[key] = now;
            passed[key] = verdict == NEW;
        }
        audit_record(a, hash_of(key), verdict, now);
    }
    assert_int_equal(report_of(a).false_drop.n, fresh);
    assert_int_equal(report_of(a).false_pass.n, repeats);
    assert_near(report_of(a).share, 1, 0);
    audit_free(a);
}

static void intervals_are_wilsons(void **state)
{
    struct audit_rate r = audit_rate_of(5, 100);

    (void)state;
    assert_near(r.rate, 0.05, 1e-15);
    assert_near(r.low, 0.0215436, 1e-6);
    assert_near(r.high, 0.1117505, 1e-6);
    r = audit_rate_of(0, 100);
    assert_near(r.low, 0, 0);
    assert_near(r.high, 0.0369935, 1e-6);
    r = audit_rate_of(7, 7);
    assert_near(r.low, 0.6456691, 1e-6);
    assert_near(r.high, 1, 0);
    r = audit_rate_of(0, 0);
    assert_true(isnan(r.rate));
    assert_near(r.low, 0, 0);
    assert_near(r.high, 1, 0);
}

/* All keys differ, so every SEEN is a false drop: the sample's rate is the
   whole stream's, within five standard deviations of the binomial. */
static void the_sample_is_as_wrong_as_the_whole(void **state)
{
    static const struct {
        const char *algorithm, *params;
    } filters[] = {{"pocket", "width=10"}, {"bloom", ""}, {"sbf", ""}};
    enum { KEYS = 300000 };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        freshet_options o = {.size = sizeof o,
                             .algorithm = filters[i].algorithm,
                             .params = filters[i].params,
                             .memory = 1 << 17,
                             .expect = KEYS,
                             .false_drop_rate = 0.02,
                             .seed = 7};
        struct audit *a = make_audit(24 * 16384, 0, false);
        uint64_t dropped = 0;
        freshet *f = NULL;
        struct audit_report r;
        double p;

        assert_int_equal(freshet_create(&f, &o, NULL), FRESHET_OK);
        for (uint64_t key = 0; key < KEYS; key++) {
            int seen = freshet_offer(f, &key, sizeof key);

            dropped += seen == SEEN;
            audit_record(a, freshet_hash_key(f, &key, sizeof key), seen, key);
        }
        r = report_of(a);
        p = (double)dropped / KEYS;
        assert_in_range(dropped, KEYS / 1000, KEYS / 4);
        assert_true(r.share < 1 && r.false_drop.n > 4000);
        assert_near(r.false_drop.rate, p,
                    5 * sqrt(p * (1 - p) / (double)r.false_drop.n));
        assert_near((double)r.false_drop.n, KEYS * r.share,
                    5 * sqrt(KEYS * r.share));
        assert_int_equal(r.false_pass.n, 0);
        freshet_free(f);
        audit_free(a);
    }
}

/* A filter that drops about a tenth of what is new, and stays as it is. */
static freshet *crowded_filter(void)
{
    freshet_options o = {.size = sizeof o,
                         .algorithm = "bloom",
                         .memory = 4096,
                         .params = "k=1",
                         .seed = 1};
    freshet *f;

    assert_int_equal(freshet_create(&f, &o, NULL), FRESHET_OK);
    for (uint64_t key = 0; key < 3000; key++)
        freshet_offer(f, &key, sizeof key);
    return f;
}

static uint8_t verdict_on(const freshet *f, freshet_hash hash)
{
    uint8_t seen;

    (void)freshet_query_batch(f, &hash, 1, &seen);
    return seen;
}

static void made_up_keys_are_dropped_as_often_as_new_ones(void **state)
{
    enum { N = 1000000 };
    freshet *f = crowded_filter();
    struct audit *late = make_audit(1 << 20, 0, false);
    double dropped = 0;

    (void)state;
    audit_begin_late(late);
    for (uint64_t key = 0; key < N; key++) {
        uint64_t bytes = key + 1000000;
        freshet_hash hash = freshet_hash_key(f, &bytes, sizeof bytes);

        while (audit_until_made_up(late) == 0)
            audit_record_made_up(late, verdict_on(f, audit_made_up(late)));
        dropped += verdict_on(f, hash);
        audit_record(late, hash, SEEN, key); /* or by an earlier run */
    }
    assert_true(dropped > 0.05 * N && dropped < 0.2 * N);
    assert_int_equal(report_of(late).false_drop.n, 1024 + (N - 1024) / 64);
    assert_near(report_of(late).false_drop.rate, dropped / N, 0.015);
    assert_string_equal(report_of(late).false_drop.of, "made-up keys");
    audit_free(late);
    freshet_free(f);
}

static void what_an_earlier_run_saw_is_neither_dropped_nor_passed(void **state)
{
    struct audit *a = make_audit(1 << 16, 100, false);

    (void)state;
    audit_begin_late(a);
    audit_record(a, hash_of(1), SEEN, 0); /* its window began before */
    audit_record(a, hash_of(1), SEEN, 10);
    assert_counts(a, 0, 0, 0, 0, 0);
    audit_record(a, hash_of(1), NEW, 20); /* and ends: from here on it counts */
    assert_counts(a, 0, 0, 0, 0, 0);
    audit_record(a, hash_of(1), NEW, 30);
    assert_counts(a, 0, 0, 1, 1, 0);
    audit_free(a);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    assert_null(audit_create(UINT64_MAX, 1, (struct audit_window){0}));
    audit_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_and_repeat_are_counted_right_and_wrong),
        cmocka_unit_test(the_hash_of_zero_is_a_key_like_any),
        cmocka_unit_test(a_window_counts_from_the_last_pass),
        cmocka_unit_test(refreshing_counts_from_the_last_record),
        cmocka_unit_test(time_going_back_stands_still),
        cmocka_unit_test(the_widest_window_is_for_ever),
        cmocka_unit_test(a_full_sample_halves_and_forgets_its_counts),
        cmocka_unit_test(a_frequent_key_weighs_as_much_as_it_should),
        cmocka_unit_test(keys_past_their_window_make_room),
        cmocka_unit_test(the_truth_is_that_of_a_list),
        cmocka_unit_test(intervals_are_wilsons),
        cmocka_unit_test(the_sample_is_as_wrong_as_the_whole),
        cmocka_unit_test(made_up_keys_are_dropped_as_often_as_new_ones),
        cmocka_unit_test(what_an_earlier_run_saw_is_neither_dropped_nor_passed),
        cmocka_unit_test(too_much_memory_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
