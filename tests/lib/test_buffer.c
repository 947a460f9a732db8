/*
 * test_buffer.c - what is true of the exact ones: buffer, fpbuffer, shf
 */
#include "streams.h"

/* Keys or hashes in order of use, newest first, searched one by one. */
struct naive {
    size_t n, room;
    uint64_t at[4096];
};

static size_t naive_find(const struct naive *l, uint64_t key)
{
    size_t i = 0;

    while (i < l->n && l->at[i] != key)
        i++;
    return i;
}

static int naive_forget(struct naive *l, uint64_t key)
{
    size_t i = naive_find(l, key);

    if (i == l->n)
        return 0;
    l->n--;
    memmove(l->at + i, l->at + i + 1, (l->n - i) * sizeof *l->at);
    return 1;
}

static int naive_offer(struct naive *l, uint64_t key)
{
    int seen = naive_forget(l, key) ? FRESHET_SEEN : FRESHET_NEW;

    if (l->n == l->room)
        l->n--;
    memmove(l->at + 1, l->at, l->n * sizeof *l->at);
    l->at[0] = key;
    l->n++;
    return seen;
}

/* Few keys often and many seldom, so that hits and misses mix. */
static uint64_t some_key(uint64_t *random)
{
    uint64_t range = roll(random) % 3 ? 200 : 2000;

    return roll(random) % range;
}

static void lru_against_naive(const char *name, uint64_t memory, int forgets)
{
    freshet *f = make_filter(.algorithm = name, .memory = memory, .seed = 7);
    struct naive l = {.room = info_of(f).slots};
    uint64_t random = 5;

    assert_in_range(l.room, 1, 4096);
    for (int i = 0; i < 20000; i++) {
        uint64_t key = some_key(&random);

        if (forgets && roll(&random) % 4 == 0)
            assert_int_equal(freshet_forget(f, &key, sizeof key),
                             naive_forget(&l, key));
        else
            assert_int_equal(offer(f, key), naive_offer(&l, key));
    }
    assert_int_equal(info_of(f).used, l.n);
    freshet_free(f);
}

static void a_buffer_is_exactly_an_lru_cache(void **state)
{
    (void)state;
    for (uint64_t memory = 400; memory < 40000; memory = memory * 3 / 2) {
        lru_against_naive("buffer", memory, 0);
        lru_against_naive("fpbuffer", memory, 1); /* q is one in a million */
    }
}

/* 64 bits of fingerprint and four links of as many bits as they need. */
static void a_buffer_counts_its_index_and_wastes_nothing(void **state)
{
    (void)state;
    for (uint64_t memory = 4096; memory < 1 << 22; memory *= 4) {
        freshet *f = make_filter(.algorithm = "buffer", .memory = memory);
        double n = (double)info_of(f).slots;

        assert_true(n * (64 + 4 * ceil(log2(n + 1))) / 8 >
                    0.97 * (double)(memory - 384));
        freshet_free(f);
    }
}

static void a_buffer_sees_the_last_n_keys_and_no_others(void **state)
{
    freshet *f = make_filter(.algorithm = "buffer", .memory = 1 << 14);
    uint64_t n = info_of(f).slots;
    freshet_rates near = expect_of(f, (freshet_workload){.gap = n - 1});
    freshet_rates far = expect_of(f, (freshet_workload){.gap = n});

    (void)state;
    for (uint64_t key = 0; key < 10 * n; key++)
        offer(f, key);
    assert_int_equal(query(f, 9 * n), FRESHET_SEEN);
    assert_int_equal(query(f, 9 * n - 1), FRESHET_NEW);
    assert_int_equal(info_of(f).forgotten, 9 * n);
    assert_near(near.false_pass, 0, 0);
    assert_near(far.false_pass, 1, 0);
    assert_near(far.reach, (double)(n - 1), 0);
    freshet_free(f);
}

static void a_buffer_too_small_for_the_stream_follows_theory(void **state)
{
    freshet *f = make_filter(.algorithm = "buffer", .memory = 1 << 17);
    struct outcome o = run_uniform(f, 300000, 0.1);

    (void)state;
    assert_expected(f, &o, 0.01);
    assert_int_equal(o.drops, 0);
    freshet_free(f);
}

/* ---- fpbuffer --------------------------------------------------------- */

static void an_fpbuffer_drops_the_share_asked_for(void **state)
{
    freshet *f = make_filter(.algorithm = "fpbuffer", .memory = 1 << 17,
                             .params = "q=0.1", .seed = 7);
    freshet *wanted = make_filter(.algorithm = "fpbuffer", .memory = 4096,
                                  .false_drop_rate = 0.02);
    struct outcome o = run_uniform(f, 300000, 0.1);

    (void)state;
    assert_expected(f, &o, 0.01);
    assert_string_equal(info_of(wanted).params, "q=0.02");
    freshet_free(f);
    freshet_free(wanted);
}

/* A coin per key alone would drop the same keys for ever. */
static void a_dropped_key_gets_another_chance(void **state)
{
    freshet *f = make_filter(.algorithm = "fpbuffer", .memory = 4096,
                             .params = "q=0.5", .seed = 7);
    uint64_t key = 1, heads = 0;

    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        heads += query(f, key) == FRESHET_SEEN;
        offer(f, 1000 + i);
    }
    assert_rate(heads, 10000, 0.5, 0);
    freshet_free(f);
}

static void an_offer_answers_as_the_query_before_it(void **state)
{
    freshet *f = make_filter(.algorithm = "fpbuffer", .memory = 4096,
                             .params = "q=0.4", .seed = 7);
    uint64_t random = 5;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t key = some_key(&random);
        int asked = query(f, key);

        assert_int_equal(offer(f, key), asked);
        assert_int_equal(query(f, key), FRESHET_SEEN);
    }
    freshet_free(f);
}

/* ---- shf -------------------------------------------------------------- */

/* A ring of the last w hashes, zero where one moved on or was forgotten. */
struct ring {
    uint64_t w, next, kinds;
    uint64_t hash[4096];
};

static int ring_forget(struct ring *r, uint64_t hash)
{
    for (uint64_t i = 0; i < r->w; i++)
        if (r->hash[i] == hash) {
            r->hash[i] = 0;
            return 1;
        }
    return 0;
}

static int ring_offer(struct ring *r, uint64_t hash)
{
    int seen = ring_forget(r, hash) ? FRESHET_SEEN : FRESHET_NEW;

    r->hash[r->next] = hash;
    r->next = (r->next + 1) % r->w;
    return seen;
}

static void shf_against_ring(freshet *f, unsigned bits, int forgets)
{
    struct ring r = {.w = info_of(f).slots, .kinds = (UINT64_C(1) << bits) - 1};
    uint64_t random = 5;

    assert_in_range(r.w, 1, 4096);
    for (int i = 0; i < 10000; i++) {
        uint64_t key = some_key(&random);
        uint64_t hash = spread(hash_of(f, key).lo, r.kinds) + 1;

        if (forgets && roll(&random) % 4 == 0)
            assert_int_equal(freshet_forget(f, &key, sizeof key),
                             ring_forget(&r, hash));
        else
            assert_int_equal(offer(f, key), ring_offer(&r, hash));
    }
    freshet_free(f);
}

static void a_short_hash_filter_is_exactly_a_ring(void **state)
{
    static const unsigned bits[] = {3, 8, 13, 24, 57};
    static const uint64_t windows[] = {0, 1, 2, 100, 1000};

    (void)state;
    for (size_t i = 0; i < 25; i++) {
        char params[16];

        snprintf(params, sizeof params, "bits=%u", bits[i / 5]);
        shf_against_ring(make_filter(.algorithm = "shf", .memory = 10240,
                                     .params = params, .window = windows[i % 5],
                                     .seed = 7),
                         bits[i / 5], (int)(i % 2));
    }
}

static void the_window_is_kept_to_the_record(void **state)
{
    freshet *f = make_filter(.algorithm = "shf", .memory = 65536,
                             .window = 1000, .seed = 7);

    (void)state;
    for (uint64_t key = 0; key < 10000; key++)
        offer(f, key);
    assert_int_equal(query(f, 9000), FRESHET_SEEN);
    assert_int_equal(query(f, 8999), FRESHET_NEW);
    assert_int_equal(offer(f, 9000), FRESHET_SEEN); /* and it starts anew */
    for (uint64_t key = 10000; key < 10999; key++)
        offer(f, key);
    assert_int_equal(query(f, 9000), FRESHET_SEEN);
    offer(f, 10999);
    assert_int_equal(query(f, 9000), FRESHET_NEW);
    assert_int_equal(info_of(f).forgotten, 0);
    assert_near(expect_of(f, (freshet_workload){.gap = 1}).reach, 999, 0);
    freshet_free(f);
}

static void a_window_too_long_for_the_memory_is_refused(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .algorithm = "shf", .memory = 4096,
                                .window = 100000),
                     FRESHET_ERR_BUDGET);
    assert_non_null(strstr(err.message, "at least"));
    assert_int_equal(try_filter(&err, .algorithm = "shf", .memory = 4096,
                                .window = UINT64_C(1) << 48),
                     FRESHET_ERR_BUDGET);
}

static void hashes_are_as_long_as_the_rate_needs(void **state)
{
    freshet *f = make_filter(.algorithm = "shf", .memory = 1 << 17,
                             .false_drop_rate = 0.01, .seed = 7);
    struct outcome o = run_endless(f, 400000, 1000);
    freshet_rates r = expect_of(f, o.workload);

    (void)state;
    assert_in_range(1e6 * r.false_drop, 4900, 10000);
    assert_rate(o.drops, o.fresh, r.false_drop, 0.01);
    assert_int_equal(o.passes, 0);
    freshet_free(f);
}

static void beyond_the_window_theory_holds_too(void **state)
{
    freshet *f = make_filter(.algorithm = "shf", .memory = 1 << 17,
                             .false_drop_rate = 0.01, .seed = 7);
    struct outcome o = run_uniform(f, 400000, 0.3);

    (void)state;
    assert_expected(f, &o, 0.02);
    freshet_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_exactly_an_lru_cache),
        cmocka_unit_test(a_buffer_counts_its_index_and_wastes_nothing),
        cmocka_unit_test(a_buffer_sees_the_last_n_keys_and_no_others),
        cmocka_unit_test(a_buffer_too_small_for_the_stream_follows_theory),
        cmocka_unit_test(an_fpbuffer_drops_the_share_asked_for),
        cmocka_unit_test(a_dropped_key_gets_another_chance),
        cmocka_unit_test(an_offer_answers_as_the_query_before_it),
        cmocka_unit_test(a_short_hash_filter_is_exactly_a_ring),
        cmocka_unit_test(the_window_is_kept_to_the_record),
        cmocka_unit_test(a_window_too_long_for_the_memory_is_refused),
        cmocka_unit_test(hashes_are_as_long_as_the_rate_needs),
        cmocka_unit_test(beyond_the_window_theory_holds_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
