/*
 * test_conformance.c - what must be true of every algorithm
 *
 * Each test here runs once per entry of the registry: an algorithm added
 * there is tested without a line being written.
 */
#include "harness.h"

#define KEYS  20000
#define TRIED 300 /* keys that a damaged filter must bear */

/* A third of the stream are repeats, at all distances. */
static void make_stream(const freshet *f, freshet_hash *keys)
{
    for (uint64_t i = 0; i < KEYS; i++)
        keys[i] = hash_of(f, i % 3 ? i : i / 2);
}

static const freshet_algorithm *about(const char *name)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        if (strcmp(a->name, name) == 0)
            return a;
    abort(); /* main() took the name from the same table */
}

static void never_exceeds_its_budget(void **state)
{
    const char *name = *state;

    for (size_t budget = 2048; budget < 1 << 20; budget = budget * 3 / 2 + 1) {
        freshet *f = make_filter(.algorithm = name, .memory = budget);
        size_t bytes;

        freshet_block(f, &bytes);
        assert_in_range(bytes, budget / 2, budget);
        freshet_free(f);
    }
}

static void too_little_memory_is_refused_with_the_need(void **state)
{
    const char *name = *state;
    freshet_error err = {0};

    for (size_t budget = 1; budget < 2048; budget += 13) {
        int status = try_filter(&err, .algorithm = name, .memory = budget);

        if (status == FRESHET_OK)
            break;
        assert_int_equal(status, FRESHET_ERR_BUDGET);
        assert_non_null(strstr(err.message, "at least"));
        assert_true(budget < 2000);
    }
}

static void a_batch_equals_its_keys_one_by_one(void **state)
{
    const char *name = *state;
    static freshet_hash keys[KEYS];
    static uint8_t one[KEYS], all[KEYS];
    freshet *a = make_filter(.algorithm = name, .memory = 8192, .seed = 7);
    freshet *b = make_filter(.algorithm = name, .memory = 8192, .seed = 7);
    uint64_t random = 1;

    make_stream(a, keys);
    for (size_t i = 0, n; i < KEYS; i += n) {
        n = roll(&random) % 600;
        n = n < KEYS - i ? n : KEYS - i;
        freshet_offer_batch(a, keys + i, n, all + i);
    }
    for (size_t i = 0; i < KEYS; i++) {
        freshet_prefetch(b, &keys[i], 1);
        freshet_offer_batch(b, &keys[i], 1, &one[i]);
    }
    assert_memory_equal(one, all, KEYS);
    assert_same_state(a, b);
    freshet_query_batch(a, keys, KEYS, all);
    for (size_t i = 0; i < KEYS; i++)
        freshet_query_batch(a, &keys[i], 1, &one[i]);
    assert_memory_equal(one, all, KEYS);
    freshet_free(a);
    freshet_free(b);
}

static void the_seed_decides_everything(void **state)
{
    const char *name = *state;
    freshet *a = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    freshet *b = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    freshet *c = make_filter(.algorithm = name, .memory = 4096, .seed = 8);
    size_t bytes, other;
    const void *at, *ct;

    for (uint64_t i = 0; i < KEYS; i++) {
        assert_int_equal(offer(a, i % 5000), offer(b, i % 5000));
        offer(c, i % 5000);
    }
    assert_same_state(a, b);
    at = freshet_block(a, &bytes);
    ct = freshet_block(c, &other);
    assert_int_equal(bytes, other);
    assert_memory_not_equal(at, ct, bytes);
    freshet_free(a);
    freshet_free(b);
    freshet_free(c);
}

static void an_unseeded_filter_is_keyed_at_random(void **state)
{
    const char *name = *state;
    freshet *a = make_filter(.algorithm = name, .memory = 4096);
    freshet *b = make_filter(.algorithm = name, .memory = 4096);

    assert_int_not_equal(info_of(a).seed, 0);
    assert_int_not_equal(info_of(a).seed, info_of(b).seed);
    assert_int_not_equal(hash_of(a, 1).lo, hash_of(b, 1).lo);
    freshet_free(a);
    freshet_free(b);
}

static void a_snapshot_resumes_where_it_was_taken(void **state)
{
    const char *name = *state;
    static freshet_hash keys[KEYS];
    static uint8_t straight[KEYS], resumed[KEYS];
    freshet *a = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    struct copy b;

    make_stream(a, keys);
    freshet_offer_batch(a, keys, KEYS / 2, straight);
    b = copy_of(a);
    freshet_offer_batch(a, keys + KEYS / 2, KEYS / 2, straight);
    freshet_offer_batch(b.filter, keys + KEYS / 2, KEYS / 2, resumed);
    assert_memory_equal(straight, resumed, KEYS / 2);
    assert_same_state(a, b.filter);
    freshet_free(a);
    release(&b);
}

static void no_truncated_snapshot_is_accepted(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 2048);
    size_t bytes;
    const void *block = freshet_block(f, &bytes);

    for (size_t cut = 0; cut < bytes; cut++) {
        void *copy = aligned_alloc(64, (cut + 64) / 64 * 64);
        freshet *g;

        assert_non_null(copy);
        memcpy(copy, block, cut);
        assert_true(freshet_attach(&g, copy, cut, NULL) < 0);
        assert_null(g);
        free(copy);
    }
    freshet_free(f);
}

static void merge_twin(freshet *f)
{
    struct copy twin = copy_of(f);

    assert_true(freshet_merge(f, twin.filter, NULL) <= FRESHET_OK);
    release(&twin);
}

static void offer_by_parts(freshet *f, const freshet_hash *keys)
{
    uint32_t at[TRIED], start[FRESHET_MOST_PARTS + 1];
    freshet_hash sorted[TRIED];
    uint8_t seen[TRIED];
    freshet_parts *p;

    if (freshet_split(&p, f, 3, NULL) < 0)
        return;
    freshet_route(p, keys, TRIED, sorted, at, start);
    for (unsigned q = 0; q < freshet_parts_count(p); q++) {
        freshet_tick_part(p, q, 0, UINT64_MAX / 2);
        freshet_offer_part(p, q, sorted + start[q], at + start[q],
                           start[q + 1] - start[q], seen + start[q]);
    }
    freshet_parts_free(p);
}

/* Everything there is to call; for sanitizers to watch. */
static void exercise(freshet *f)
{
    freshet_hash keys[TRIED];
    uint8_t seen[TRIED];

    for (uint64_t i = 0; i < TRIED; i++)
        keys[i] = hash_of(f, i % (TRIED * 2 / 3));
    freshet_query_batch(f, keys, TRIED, seen);
    freshet_offer_batch(f, keys, TRIED, seen);
    for (size_t i = 0; i < TRIED; i++)
        assert_in_range(seen[i], 0, 1);
    freshet_remember_batch(f, keys, TRIED);
    freshet_tick(f, UINT64_MAX / 2);
    freshet_offer_batch(f, keys, TRIED, seen);
    assert_true(freshet_forget_batch(f, keys, TRIED) <= TRIED);
    offer_by_parts(f, keys);
    merge_twin(f);
    expect_of(f, (freshet_workload){.gap = 1000});
    info_of(f);
    freshet_reset(f);
    freshet_offer_batch(f, keys, TRIED, seen);
}

static void a_flipped_bit_is_refused_or_harmless(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 2560, .seed = 7);
    size_t bytes;
    const void *block;

    for (uint64_t i = 0; i < 3000; i++)
        offer(f, i);
    block = freshet_block(f, &bytes);
    for (size_t bit = 0; bit < bytes * 8; bit += bit < 4096 ? 1 : 37) {
        /* Of the exact size, so that one byte too far is noticed. */
        char *copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
        freshet *g;

        assert_non_null(copy);
        memcpy(copy, block, bytes);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        if (freshet_attach(&g, copy, bytes, NULL) == FRESHET_OK)
            exercise(g);
        freshet_free(g);
        free(copy);
    }
    freshet_free(f);
}

static void random_cells_are_refused_or_harmless(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    size_t bytes;
    const void *block = freshet_block(f, &bytes);
    uint64_t random = 5;

    for (int round = 0; round < 200; round++) {
        char *copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
        size_t from = 256 + roll(&random) % (bytes - 256);
        freshet *g;

        assert_non_null(copy);
        memcpy(copy, block, bytes);
        for (size_t i = from; i < bytes; i++)
            copy[i] = (char)roll(&random);
        if (freshet_attach(&g, copy, bytes, NULL) == FRESHET_OK)
            exercise(g);
        freshet_free(g);
        free(copy);
    }
    freshet_free(f);
}

static void a_query_changes_nothing(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    struct copy before;

    for (uint64_t i = 0; i < KEYS; i++)
        offer(f, i);
    before = copy_of(f);
    for (uint64_t i = KEYS - 500; i < KEYS + 500; i++)
        query(f, i);
    assert_same_block(f, before.filter);
    freshet_free(f);
    release(&before);
}

static void an_offer_is_a_query_then_a_remember(void **state)
{
    const char *name = *state;
    static freshet_hash keys[KEYS];
    freshet *a = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    freshet *b = make_filter(.algorithm = name, .memory = 4096, .seed = 7);

    make_stream(a, keys);
    for (size_t i = 0; i < KEYS; i++) {
        uint8_t offered, asked;

        freshet_offer_batch(a, &keys[i], 1, &offered);
        freshet_query_batch(b, &keys[i], 1, &asked);
        freshet_remember_batch(b, &keys[i], 1);
        assert_int_equal(offered, asked);
    }
    assert_same_state(a, b);
    assert_int_equal(info_of(b).remembered, KEYS);
    assert_int_equal(info_of(b).offered, 0);
    freshet_free(a);
    freshet_free(b);
}

static void an_immediate_repeat_is_seen(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    uint64_t missed = 0;

    offer(f, KEYS); /* pairs begin at odd records, wherever periods end */
    for (uint64_t key = 0; key < KEYS; key++) {
        offer(f, key);
        missed += offer(f, key) == FRESHET_NEW;
    }
    if (about(name)->can & FRESHET_CAN_PROMISE)
        assert_int_equal(missed, 0);
    else
        assert_int_not_equal(missed, 0);
    freshet_free(f);
}

static void a_reset_filter_is_as_just_made(void **state)
{
    const char *name = *state;
    freshet *a = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    freshet *b = make_filter(.algorithm = name, .memory = 4096, .seed = 7);

    for (uint64_t i = 0; i < KEYS; i++)
        offer(a, i);
    freshet_tick(a, 12345);
    freshet_reset(a);
    assert_same_block(a, b);
    freshet_free(a);
    freshet_free(b);
}

static void a_caller_may_zero_the_block_itself(void **state)
{
    const char *name = *state;
    static _Alignas(64) unsigned char block[4096];
    freshet *a = make_filter(.algorithm = name, .memory = 4096, .seed = 7), *b;
    size_t bytes, head;
    const void *from;

    memset(block, 0, sizeof block);
    from = freshet_block(a, &bytes);
    memcpy(block, from, bytes);
    assert_int_equal(freshet_attach(&b, block, bytes, NULL), FRESHET_OK);
    for (uint64_t i = 0; i < KEYS; i++)
        offer(b, i);
    freshet_tick(b, 12345);
    head = freshet_reset_head(b);
    memset(block + head, 0, bytes - head);
    assert_same_block(a, b);
    freshet_free(a);
    freshet_free(b);
}

/* The first page has the counters, too. */
static void an_empty_filter_writes_a_key_where_its_line_is(void **state)
{
    enum { PAGE = 4096, BYTES = 64 * PAGE };
    static _Alignas(PAGE) unsigned char block[BYTES];
    freshet_options o = {.size = sizeof o,
                         .algorithm = *state,
                         .memory = BYTES,
                         .seed = 7};
    freshet *f;

    for (uint64_t i = 0; i < 100; i++) {
        const void *lines[2];
        freshet_hash key;
        size_t page, written = 0;

        memset(block, 0, sizeof block);
        assert_int_equal(freshet_create_at(&f, block, BYTES, &o, NULL),
                         FRESHET_OK);
        key = freshet_hash_key(f, &i, sizeof i);
        if (freshet_lines(f, &key, lines) == FRESHET_OK) {
            page = (size_t)((const unsigned char *)lines[0] - block) / PAGE;
            freshet_remember_batch(f, &key, 1);
            for (size_t at = PAGE; at < BYTES; at++) {
                assert_true(!block[at] || at / PAGE == page);
                written += block[at] != 0;
            }
            assert_true(written || page == 0);
        }
        freshet_free(f);
    }
}

/* The same figures if the sample is the whole block, else within 10 %. */
static void a_sample_tells_about_the_whole(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 1 << 17, .seed = 7);
    freshet_info part = {.size = sizeof part}, all;

    for (uint64_t i = 0; i < KEYS; i++)
        offer(f, i);
    all = info_of(f);
    assert_int_equal(freshet_estimate_info(f, &part, 1 << 17), FRESHET_OK);
    assert_int_equal(part.used, all.used);
    assert_int_equal(part.slots, all.slots);
    part.used = 0;
    if (freshet_estimate_info(f, &part, 1 << 15) == FRESHET_OK) {
        assert_int_equal(part.slots, all.slots);
        assert_in_range(part.used, all.used * 9 / 10, all.used * 11 / 10);
    } else {
        assert_false(about(name)->can & FRESHET_CAN_SPLIT);
        assert_int_equal(part.offered, KEYS);
        assert_int_equal(part.used, 0);
    }
    assert_int_equal(freshet_estimate_info(f, &part, 1 << 15),
                     about(name)->can & FRESHET_CAN_SPLIT
                         ? FRESHET_OK
                         : FRESHET_ERR_UNSUPPORTED);
    freshet_free(f);
}

static void a_forgotten_key_is_new_again(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 65536, .seed = 7);
    uint64_t back = 0;

    for (uint64_t key = 0; key < 500; key++) {
        int forgot;

        offer(f, key);
        forgot = freshet_forget(f, &key, sizeof key);
        if (!(about(name)->can & FRESHET_CAN_FORGET)) {
            assert_int_equal(forgot, FRESHET_ERR_UNSUPPORTED);
            break;
        }
        assert_int_equal(forgot, 1);
        assert_int_equal(query(f, key), FRESHET_NEW);
        assert_int_equal(freshet_forget(f, &key, sizeof key), 0);
        back += offer(f, key) == FRESHET_NEW;
    }
    assert_true(back == 500 || !(about(name)->can & FRESHET_CAN_FORGET));
    freshet_free(f);
}

static void a_merged_filter_knows_what_both_knew(void **state)
{
    const char *name = *state;
    freshet *a = make_filter(.algorithm = name, .memory = 65536, .seed = 7);
    freshet *b = make_filter(.algorithm = name, .memory = 65536, .seed = 7);
    freshet *c = make_filter(.algorithm = name, .memory = 65536, .seed = 8);
    freshet_error err;
    int status;

    for (uint64_t key = 0; key < 500; key++) {
        offer(a, key);
        offer(b, key + 1000);
    }
    status = freshet_merge(a, b, &err);
    if (about(name)->can & FRESHET_CAN_MERGE) {
        assert_int_equal(status, FRESHET_OK);
        for (uint64_t key = 0; key < 500; key++) {
            assert_int_equal(query(a, key), FRESHET_SEEN);
            assert_int_equal(query(a, key + 1000), FRESHET_SEEN);
        }
        assert_int_equal(info_of(a).offered, 1000);
        assert_int_equal(freshet_merge(a, c, &err), FRESHET_ERR_MISMATCH);
    } else {
        assert_int_equal(status, FRESHET_ERR_UNSUPPORTED);
        assert_non_null(strstr(err.message, name));
    }
    freshet_free(a);
    freshet_free(b);
    freshet_free(c);
}

static void windows_are_honoured_or_refused(void **state)
{
    const char *name = *state;
    unsigned can = about(name)->can;

    assert_int_equal(try_filter(NULL, .algorithm = name, .memory = 65536,
                                .window = 100),
                     can & FRESHET_CAN_WINDOW ? FRESHET_OK
                                              : FRESHET_ERR_UNSUPPORTED);
    assert_int_equal(try_filter(NULL, .algorithm = name, .memory = 65536,
                                .within = 100),
                     can & FRESHET_CAN_WITHIN ? FRESHET_OK
                                              : FRESHET_ERR_UNSUPPORTED);
}

/* 100 to 200 keys back is inside a window of 1000 for certain. */
static void a_repeat_inside_the_window_is_seen(void **state)
{
    const char *name = *state;
    freshet *f;

    if (!(about(name)->can & FRESHET_CAN_WINDOW))
        return;
    f = make_filter(.algorithm = name, .memory = 1 << 18, .window = 1000,
                    .false_drop_rate = 0.001, .seed = 7);
    for (uint64_t key = 0; key < 50000; key++)
        offer(f, key);
    for (uint64_t key = 49800; key < 49900; key++)
        assert_int_equal(query(f, key), FRESHET_SEEN);
    freshet_free(f);
}

static void its_parameters_read_back_to_the_same_filter(void **state)
{
    const char *name = *state;
    freshet *a = make_filter(.algorithm = name, .memory = 8192, .seed = 7);
    freshet_info info = info_of(a);
    freshet *b = make_filter(.algorithm = name, .memory = 8192, .seed = 7,
                             .params = info.params);

    assert_same_state(a, b);
    assert_string_equal(info_of(b).params, info.params);
    freshet_free(a);
    freshet_free(b);
}

static void its_figures_are_figures(void **state)
{
    const char *name = *state;
    freshet *f = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    freshet_info info;
    const freshet_workload workloads[] = {
        {.distinct = 500, .records = 2000},
        {.distinct = 1000000, .records = 2000000},
        {.distinct = 700},
        {.gap = 1},
        {.gap = 1000000},
    };
    uint64_t fresh = 0;

    for (uint64_t i = 0; i < 3000; i++)
        fresh += offer(f, i / 2) == FRESHET_NEW;
    info = info_of(f);
    assert_int_equal(info.offered, 3000);
    assert_int_equal(info.fresh, fresh);
    assert_true(info.used > 0 && info.used <= info.slots);
    assert_true(isnan(info.false_drop) ||
                (info.false_drop >= 0 && info.false_drop <= 1));
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        freshet_rates r = expect_of(f, workloads[i]);

        assert_true(isnan(r.false_drop) ||
                    (r.false_drop >= 0 && r.false_drop <= 1));
        assert_true(isnan(r.false_pass) ||
                    (r.false_pass >= 0 && r.false_pass <= 1));
        assert_true(isnan(r.reach) || r.reach >= 0);
        assert_true(r.theory || isnan(r.false_drop));
    }
    freshet_free(f);
}

static void keys_may_be_empty_and_huge(void **state)
{
    const char *name = *state;
    const size_t huge = (size_t)100 << 20;
    static char *key; /* for all algorithms: to touch it takes time */
    freshet *f = make_filter(.algorithm = name, .memory = 65536, .seed = 7);

    if (!key)
        key = calloc(1, huge);
    assert_non_null(key);
    key[huge - 1] = 0;
    assert_int_equal(freshet_offer(f, NULL, 0), FRESHET_NEW);
    assert_int_equal(freshet_offer(f, key, huge), FRESHET_NEW);
    key[huge - 1] = 1;
    assert_int_equal(freshet_offer(f, key, huge), FRESHET_NEW);
    if (about(name)->can & FRESHET_CAN_PROMISE)
        assert_int_equal(freshet_offer(f, key, huge), FRESHET_SEEN);
    freshet_free(f);
}

static void a_clock_going_back_is_ignored(void **state)
{
    const char *name = *state;
    freshet *a = make_filter(.algorithm = name, .memory = 4096, .seed = 7);
    freshet *b = make_filter(.algorithm = name, .memory = 4096, .seed = 7);

    for (uint64_t i = 0; i < 1000; i++) {
        freshet_tick(a, i);
        freshet_tick(a, i / 2);
        freshet_tick(b, i);
        assert_int_equal(offer(a, i), offer(b, i));
    }
    assert_int_equal(info_of(a).now, 999);
    assert_same_state(a, b);
    freshet_free(a);
    freshet_free(b);
}

static const struct CMUnitTest contract[] = {
    cmocka_unit_test(never_exceeds_its_budget),
    cmocka_unit_test(too_little_memory_is_refused_with_the_need),
    cmocka_unit_test(a_batch_equals_its_keys_one_by_one),
    cmocka_unit_test(the_seed_decides_everything),
    cmocka_unit_test(an_unseeded_filter_is_keyed_at_random),
    cmocka_unit_test(a_snapshot_resumes_where_it_was_taken),
    cmocka_unit_test(no_truncated_snapshot_is_accepted),
    cmocka_unit_test(a_flipped_bit_is_refused_or_harmless),
    cmocka_unit_test(random_cells_are_refused_or_harmless),
    cmocka_unit_test(a_query_changes_nothing),
    cmocka_unit_test(an_offer_is_a_query_then_a_remember),
    cmocka_unit_test(an_immediate_repeat_is_seen),
    cmocka_unit_test(a_reset_filter_is_as_just_made),
    cmocka_unit_test(a_caller_may_zero_the_block_itself),
    cmocka_unit_test(an_empty_filter_writes_a_key_where_its_line_is),
    cmocka_unit_test(a_sample_tells_about_the_whole),
    cmocka_unit_test(a_forgotten_key_is_new_again),
    cmocka_unit_test(a_merged_filter_knows_what_both_knew),
    cmocka_unit_test(windows_are_honoured_or_refused),
    cmocka_unit_test(a_repeat_inside_the_window_is_seen),
    cmocka_unit_test(its_parameters_read_back_to_the_same_filter),
    cmocka_unit_test(its_figures_are_figures),
    cmocka_unit_test(keys_may_be_empty_and_huge),
    cmocka_unit_test(a_clock_going_back_is_ignored),
};
enum { CONTRACT = sizeof contract / sizeof *contract };

/* With arguments: only the algorithms named. */
static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return 1;
    return argc == 1;
}

int main(int argc, char **argv)
{
    const freshet_algorithm *a;
    int failed = 0;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        struct CMUnitTest tests[CONTRACT];

        if (!wanted(a->name, argc, argv))
            continue;
        for (size_t t = 0; t < CONTRACT; t++) {
            tests[t] = contract[t];
            tests[t].initial_state = (void *)(uintptr_t)a->name;
        }
        failed += cmocka_run_group_tests_name(a->name, tests, NULL, NULL);
    }
    return failed != 0;
}
