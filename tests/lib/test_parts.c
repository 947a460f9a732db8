/*
 * test_parts.c - a filter decided by parts is the filter of one thread
 *
 * Each test runs once per algorithm that can be split and per row of a table
 * of options: a stream of all verbs is given to one filter record by record,
 * to another by parts; verdicts, blocks and counters must be equal.  One test
 * has real threads, for the thread sanitizer.
 */
#include <pthread.h>
#include <stdbool.h>

#include "harness.h"

enum { RECORDS = 30000, BLOCKS = 400, MOST_THREADS = 8 };
enum operation { OFFER, QUERY, REMEMBER, FORGET };

/* ---- Streams ---------------------------------------------------------- */

/* Consecutive records, sorted by parts. */
struct block {
    size_t first, n;
    uint64_t record; /* those offered and remembered before it */
    uint32_t start[FRESHET_MOST_PARTS + 1];
};

struct stream {
    freshet_hash key[RECORDS], sorted[RECORDS];
    uint8_t operation[RECORDS], seen[RECORDS];
    uint64_t now[RECORDS];
    uint32_t at[RECORDS];     /* by parts: the place in the block */
    uint32_t number[RECORDS]; /* records before it in its block */
    struct block block[BLOCKS];
    size_t blocks;
};

/* Two thirds are new; of seven records four are offered.  The clock mostly
   stands still, and at times jumps. */
static void make_stream(struct stream *s, const freshet *f, bool can_forget)
{
    uint64_t random = 1, now = 1000;

    for (size_t i = 0; i < RECORDS; i++) {
        uint64_t dice = roll(&random) % 7;

        s->key[i] = hash_of(f, i % 3 ? i : roll(&random) % (i + 1));
        s->operation[i] = dice < 4    ? OFFER
                          : dice == 4 ? QUERY
                          : dice == 5 ? REMEMBER
                                      : FORGET;
        if (dice == 6 && !can_forget)
            s->operation[i] = OFFER;
        if (roll(&random) % 20 == 0)
            now += roll(&random) % 30;
        if (roll(&random) % 3000 == 0)
            now += roll(&random) % 5000;
        s->now[i] = now;
    }
}

static uint64_t is_record(uint8_t operation)
{
    return operation == OFFER || operation == REMEMBER;
}

/* Cut the stream into blocks of up to a number of records, and sorts each. */
static void cut_stream(struct stream *s, const freshet_parts *p, size_t most)
{
    uint64_t random = most, records = 0;

    s->blocks = 0;
    for (size_t i = 0, n; i < RECORDS; i += n) {
        struct block *b = &s->block[s->blocks++];
        uint32_t before = 0;

        assert_true(s->blocks <= BLOCKS);
        n = most / 2 + roll(&random) % most;
        n = n < RECORDS - i ? n : RECORDS - i;
        *b = (struct block){.first = i, .n = n, .record = records};
        freshet_route(p, s->key + i, n, s->sorted + i, s->at + i, b->start);
        for (size_t j = 0; j < n; j++) {
            s->number[i + j] = before;
            before += (uint32_t)is_record(s->operation[i + j]);
        }
        records += before;
    }
}

/* ---- One thread ------------------------------------------------------- */

static void run_whole(freshet *f, struct stream *s, uint8_t *seen)
{
    for (size_t i = 0; i < RECORDS; i++) {
        seen[i] = 0;
        freshet_tick(f, s->now[i]);
        switch ((enum operation)s->operation[i]) {
        case OFFER:
            freshet_offer_batch(f, &s->key[i], 1, &seen[i]);
            break;
        case QUERY:
            freshet_query_batch(f, &s->key[i], 1, &seen[i]);
            break;
        case REMEMBER:
            freshet_remember_batch(f, &s->key[i], 1);
            break;
        case FORGET:
            seen[i] = (uint8_t)freshet_forget_batch(f, &s->key[i], 1);
            break;
        }
    }
}

/* ---- By parts --------------------------------------------------------- */

/* Keys of one part with one verb, from i on: sorted, their places and record
   numbers gathered.  Returns how many. */
static size_t same_verb(const struct stream *s, const struct block *b, size_t i,
                        size_t end, size_t run_end, uint32_t *number)
{
    size_t n = 0, first = b->first;
    uint8_t operation = s->operation[first + s->at[first + i]];

    for (; n < 64 && i + n < end; n++) {
        uint32_t at = s->at[first + i + n];

        if (at >= run_end || s->operation[first + at] != operation)
            break;
        number[n] = s->number[first + at];
    }
    return n;
}

static void apply(freshet_parts *p, unsigned part, uint8_t operation,
                  const freshet_hash *keys, const uint32_t *number, size_t n,
                  uint8_t *seen)
{
    memset(seen, 0, n);
    switch ((enum operation)operation) {
    case OFFER:
        freshet_offer_part(p, part, keys, number, n, seen);
        break;
    case QUERY:
        freshet_query_part(p, part, keys, number, n, seen);
        break;
    case REMEMBER:
        freshet_remember_part(p, part, keys, number, n);
        break;
    case FORGET:
        for (size_t i = 0; i < n; i++)
            seen[i] =
                (uint8_t)freshet_forget_part(p, part, keys + i, number + i, 1);
        break;
    }
}

/* A block's keys of one part, run by run of the clock. */
static void run_part(freshet_parts *p, struct stream *s, const struct block *b,
                     unsigned part)
{
    size_t i = b->start[part], end = b->start[part + 1], run = 0;

    while (run < b->n) {
        size_t run_end =
            run + freshet_turn_at(p, s->now + b->first + run, b->n - run);

        freshet_tick_part(p, part, b->record, s->now[b->first + run_end - 1]);
        for (size_t n; i < end && s->at[b->first + i] < run_end; i += n) {
            uint32_t number[64];
            uint8_t seen[64];

            n = same_verb(s, b, i, end, run_end, number);
            apply(p, part, s->operation[b->first + s->at[b->first + i]],
                  s->sorted + b->first + i, number, n, seen);
            for (size_t j = 0; j < n; j++)
                s->seen[b->first + s->at[b->first + i + j]] = seen[j];
        }
        run = run_end;
    }
}

/* Parts in a random order, each some blocks ahead of or behind the others. */
static void run_shuffled(freshet_parts *p, struct stream *s)
{
    size_t done[FRESHET_MOST_PARTS] = {0}, left;
    unsigned parts = freshet_parts_count(p);
    uint64_t random = 3;

    for (left = parts * s->blocks; left;) {
        unsigned part = (unsigned)(roll(&random) % parts);
        uint64_t blocks = 1 + roll(&random) % 5;

        for (; blocks && done[part] < s->blocks; blocks--, left--)
            run_part(p, s, &s->block[done[part]++], part);
    }
}

struct worker {
    pthread_t thread;
    freshet_parts *parts;
    struct stream *stream;
    unsigned first, step;
};

static void *work(void *worker)
{
    struct worker *w = worker;

    for (size_t b = 0; b < w->stream->blocks; b++)
        for (unsigned q = w->first; q < freshet_parts_count(w->parts);
             q += w->step)
            run_part(w->parts, w->stream, &w->stream->block[b], q);
    return NULL;
}

static void run_threads(freshet_parts *p, struct stream *s, unsigned threads)
{
    struct worker worker[MOST_THREADS];

    for (unsigned t = 0; t < threads; t++) {
        worker[t] = (struct worker){.parts = p,
                                    .stream = s,
                                    .first = t,
                                    .step = threads};
        assert_int_equal(pthread_create(&worker[t].thread, NULL, work,
                                        &worker[t]),
                         0);
    }
    for (unsigned t = 0; t < threads; t++)
        pthread_join(worker[t].thread, NULL);
}

/* ---- The table -------------------------------------------------------- */

/* What an algorithm is tried with; those it cannot have are left out. */
static const freshet_options rows[] = {
    {.memory = 16384},
    {.memory = 1 << 20},
    {.memory = 16384, .window = 3000},
    {.memory = 65536, .window = 5},
    {.memory = 1 << 20, .window = 100000},
    {.memory = 65536, .within = 1000},
    {.memory = 65536, .within = 7},
    {.algorithm = "pocket", .memory = 16384, .params = "refresh=0"},
    {.algorithm = "pocket", .memory = 16384, .params = "choices=1,width=16"},
    {.algorithm = "pocket",
     .memory = 65536,
     .params = "refresh=0",
     .within = 500},
    {.algorithm = "pocket",
     .memory = 65536,
     .params = "choices=1",
     .window = 999},
    {.algorithm = "qht", .memory = 16384, .params = "k=7,s=9"},
    {.algorithm = "qht",
     .memory = 16384,
     .params = "k=3,s=5,duplicates=insert"},
    {.algorithm = "qht", .memory = 65536, .params = "k=40,s=9,evict=queue"},
    {.algorithm = "sqf", .memory = 16384, .params = "r=12,rp=8,k=5"},
    {.algorithm = "sqf", .memory = 65536, .params = "r=32,rp=32,k=1000"},
    {.algorithm = "isqf", .memory = 65536, .params = "r=6,rp=6,k=3,m=3"},
    {.algorithm = "isqf", .memory = 65536, .params = "r=6,m=2,store=along"},
    {.algorithm = "isqf",
     .memory = 1 << 17,
     .params = "r=6,rp=5,m=4,store=each"},
    {.algorithm = "isqf", .memory = 4096, .params = "r=6,rp=6"},
    {.algorithm = "isqf", .memory = 16384, .params = "m=1,rows=quotient"},
};

static bool suits(const freshet_algorithm *a, const freshet_options *o)
{
    if (o->algorithm)
        return strcmp(o->algorithm, a->name) == 0;
    return (!o->window || a->can & FRESHET_CAN_WINDOW) &&
           (!o->within || a->can & FRESHET_CAN_WITHIN);
}

/* A filter that one thread decided, and one to be decided by parts. */
struct pair {
    freshet *whole, *split;
    uint8_t *seen;
    struct stream *stream;
};

static struct pair make_pair(const freshet_algorithm *a,
                             const freshet_options *row)
{
    freshet_options o = *row;
    struct pair pair;

    o.size = sizeof o;
    o.algorithm = a->name;
    o.false_drop_rate = 0.01;
    o.seed = 7;
    pair.whole = make_filter_(&o);
    pair.split = make_filter_(&o);
    pair.seen = malloc(RECORDS);
    pair.stream = malloc(sizeof *pair.stream);
    assert_non_null(pair.seen);
    assert_non_null(pair.stream);
    make_stream(pair.stream, pair.whole, (a->can & FRESHET_CAN_FORGET) != 0);
    run_whole(pair.whole, pair.stream, pair.seen);
    return pair;
}

static void close_pair(struct pair *pair)
{
    freshet_free(pair->whole);
    freshet_free(pair->split);
    free(pair->seen);
    free(pair->stream);
}

static freshet_parts *split(freshet *f, unsigned parts)
{
    freshet_parts *p;
    freshet_error err;

    if (freshet_split(&p, f, parts, &err) < 0)
        fail_msg("%s", err.message);
    return p;
}

static void assert_same(const struct pair *pair)
{
    assert_memory_equal(pair->seen, pair->stream->seen, RECORDS);
    assert_same_block(pair->whole, pair->split);
}

/* Calls test for every algorithm that can be split, with each of the rows. */
static void for_each(void (*test)(struct pair *pair))
{
    const freshet_algorithm *a;
    unsigned tried = 0;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            if (a->can & FRESHET_CAN_SPLIT && suits(a, &rows[r])) {
                struct pair pair = make_pair(a, &rows[r]);

                test(&pair);
                close_pair(&pair);
                tried++;
            }
    assert_true(tried >= 29);
}

/* ---- The contract ----------------------------------------------------- */

static void try_shuffled(struct pair *pair)
{
    static const unsigned parts[] = {1, 2, 3, 8, 64};
    static const size_t most[] = {100, 1000, 40000};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t j = 0; j < sizeof most / sizeof *most; j++) {
            freshet_parts *p = split(pair->split, parts[i]);

            assert_in_range(freshet_parts_count(p), 1, parts[i]);
            cut_stream(pair->stream, p, most[j]);
            run_shuffled(p, pair->stream);
            freshet_parts_free(p);
            assert_same(pair);
            freshet_reset(pair->split);
        }
}

static void parts_in_any_order_give_what_one_thread_gives(void **state)
{
    (void)state;
    for_each(try_shuffled);
}

static void try_threads(struct pair *pair)
{
    for (unsigned threads = 1; threads <= MOST_THREADS; threads *= 2) {
        freshet_parts *p = split(pair->split, 16);

        cut_stream(pair->stream, p, 2000);
        run_threads(p, pair->stream, threads);
        freshet_join(p);
        assert_same(pair);
        freshet_parts_free(p);
        assert_same(pair);
        freshet_reset(pair->split);
    }
}

static void threads_give_what_one_thread_gives(void **state)
{
    (void)state;
    for_each(try_threads);
}

/* After the stream the filter is saved, then given records by its own verbs,
   then by parts again, joined after each. */
static void try_halves(struct pair *pair)
{
    struct stream *s = pair->stream;
    freshet_parts *p = split(pair->split, 8);
    struct copy saved;

    cut_stream(s, p, 3000);
    run_shuffled(p, s);
    freshet_join(p);
    saved = copy_of(pair->split);
    assert_same_block(pair->whole, saved.filter);
    for (uint64_t i = 0; i < 2; i++) {
        offer(pair->whole, i);
        offer(pair->split, i);
        freshet_tick(pair->whole, 100000 + i);
        freshet_tick(pair->split, 100000 + i);
    }
    freshet_join(p);
    assert_same_block(pair->whole, pair->split);
    for (uint64_t i = 0; i < 2000; i++) {
        freshet_hash key = hash_of(pair->split, i);
        unsigned part = freshet_part_of(p, key);
        uint8_t a, b;

        freshet_offer_batch(pair->whole, &key, 1, &a);
        freshet_offer_part(p, part, &key, NULL, 1, &b);
        freshet_join(p);
        assert_int_equal(a, b);
    }
    assert_same_block(pair->whole, pair->split);
    freshet_parts_free(p);
    release(&saved);
}

static void a_joined_filter_is_a_filter_again(void **state)
{
    (void)state;
    for_each(try_halves);
}

/* ---- Limits ----------------------------------------------------------- */

static void what_cannot_be_split_is_refused(void **state)
{
    const freshet_algorithm *a;
    freshet_error err;
    freshet_parts *p;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        freshet *f = make_filter(.algorithm = a->name, .memory = 65536);
        int status = freshet_split(&p, f, 4, &err);

        if (a->can & FRESHET_CAN_SPLIT) {
            assert_int_equal(status, FRESHET_OK);
            assert_int_equal(freshet_parts_count(p), 4);
            freshet_parts_free(p);
            assert_int_equal(freshet_split(&p, f, 0, &err), FRESHET_ERR_RANGE);
            assert_int_equal(freshet_split(&p, f, 65, &err), FRESHET_ERR_RANGE);
        } else {
            assert_int_equal(status, FRESHET_ERR_UNSUPPORTED);
            assert_non_null(strstr(err.message, a->name));
        }
        assert_null(p);
        freshet_free(f);
    }
}

/* A parameter can stand against it. */
static void rows_of_hashes_of_a_quotient_are_refused(void **state)
{
    freshet *f = make_filter(.algorithm = "isqf", .memory = 65536,
                             .params = "m=2,rows=quotient");
    freshet_error err;
    freshet_parts *p;

    (void)state;
    assert_int_equal(freshet_split(&p, f, 4, &err), FRESHET_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.message, "m=2,rows=quotient"));
    freshet_free(f);
}

/* The keys are those of "keys", each in its part and in their order. */
static void assert_sorted(const freshet_parts *p, const freshet_hash *keys,
                          size_t n, const freshet_hash *sorted,
                          const uint32_t *at, const uint32_t *start)
{
    assert_int_equal(start[0], 0);
    assert_int_equal(start[freshet_parts_count(p)], n);
    for (unsigned q = 0; q < freshet_parts_count(p); q++)
        for (uint32_t i = start[q]; i < start[q + 1]; i++) {
            assert_int_equal(freshet_part_of(p, sorted[i]), q);
            assert_memory_equal(&sorted[i], &keys[at[i]], sizeof *keys);
            assert_true(i == start[q] || at[i] > at[i - 1]);
        }
}

/* Returns the least upper half of a key of part q, if parts are in the order of
   that half. */
static uint64_t border_of(const freshet_parts *p, unsigned q)
{
    uint64_t low = 0, high = UINT64_MAX;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (freshet_part_of(p, (freshet_hash){0, middle}) < q)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void route_pair(struct pair *pair)
{
    static const unsigned wanted[] = {1, 2, 3, 4, 7, 8, 9, 64};
    struct stream *s = pair->stream;

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        freshet_parts *p = split(pair->split, wanted[i]);
        uint32_t start[FRESHET_MOST_PARTS + 1];

        for (unsigned q = 1; q < freshet_parts_count(p); q++) {
            s->key[2 * q].hi = border_of(p, q);
            s->key[2 * q + 1].hi = s->key[2 * q].hi - 1;
        }
        freshet_route(p, s->key, 10000, s->sorted, s->at, start);
        assert_sorted(p, s->key, 10000, s->sorted, s->at, start);
        freshet_parts_free(p);
    }
}

static void keys_are_routed_to_their_parts(void **state)
{
    (void)state;
    for_each(route_pair);
}

static void parts_are_even(void **state)
{
    static freshet_hash keys[100000], sorted[100000];
    static uint32_t at[100000];
    uint32_t start[FRESHET_MOST_PARTS + 1];
    freshet *f = make_filter(.memory = 1 << 24, .seed = 7);
    freshet_parts *p = split(f, 10);

    (void)state;
    for (uint64_t i = 0; i < 100000; i++)
        keys[i] = hash_of(f, i);
    freshet_route(p, keys, 100000, sorted, at, start);
    assert_sorted(p, keys, 100000, sorted, at, start);
    for (unsigned q = 0; q < 10; q++)
        assert_rate(start[q + 1] - start[q], 100000, 0.1, 0.01);
    freshet_parts_free(p);
    freshet_free(f);
}

/* With any argument: only what has threads. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_in_any_order_give_what_one_thread_gives),
        cmocka_unit_test(a_joined_filter_is_a_filter_again),
        cmocka_unit_test(what_cannot_be_split_is_refused),
        cmocka_unit_test(rows_of_hashes_of_a_quotient_are_refused),
        cmocka_unit_test(keys_are_routed_to_their_parts),
        cmocka_unit_test(parts_are_even),
    };
    const struct CMUnitTest threaded[] = {
        cmocka_unit_test(threads_give_what_one_thread_gives),
    };
    int failed = cmocka_run_group_tests(threaded, NULL, NULL);

    (void)argv;
    return argc > 1 ? failed
                    : failed + cmocka_run_group_tests(tests, NULL, NULL);
}
