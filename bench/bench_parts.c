/*
 * bench_parts.c - one filter decided by several threads, against one thread and
 * against threads that have filters of their own
 *
 * In each round every thread makes some blocks of keys of a stream of its own,
 * which is not timed.  Then it sorts one by parts; when all have done so, every
 * thread decides its parts of all blocks, in order, and goes on to the next
 * block.  A thread keeps two sorted blocks, so that it can sort one while
 * others still decide the one before.  Sorting, waiting and deciding is timed.
 *
 * Threads with filters of their own, which together take the same memory, need
 * neither sort keys nor wait: they show what the machine's processors and
 * memory allow.  The three take turns, so that a busy machine hits all alike.
 */
#include <stdlib.h>

#include "bench.h"

enum {
    BLOCK = 1 << 13, /* keys; a thread's blocks fit into its cache */
    ROUND = 4,       /* blocks, of each thread */
    EACH = 2         /* parts for each thread, as the pipe filter has */
};

struct block {
    freshet_hash sorted[BLOCK];
    uint32_t at[BLOCK], start[FRESHET_MOST_PARTS + 1];
};

struct crew;

struct hand {
    struct crew *crew;
    unsigned number;
    struct bench_stream stream;
    freshet_hash key[ROUND][BLOCK];
    uint8_t repeat[BLOCK], seen[BLOCK];
    struct block block[2]; /* with an even and an odd number */
};

struct crew {
    freshet_parts *parts;
    struct hand *hand;
    uint64_t threads, rounds;
    struct bench_clock clock;
};

static void decide(struct hand *h, size_t block)
{
    const struct crew *c = h->crew;
    unsigned parts = freshet_parts_count(c->parts);

    for (unsigned part = h->number; part < parts; part += (unsigned)c->threads)
        for (uint64_t i = 0; i < c->threads; i++) {
            const struct block *b = &c->hand[i].block[block % 2];
            uint32_t from = b->start[part], to = b->start[part + 1];

            freshet_offer_part(c->parts, part, b->sorted + from, b->at + from,
                               to - from, h->seen);
        }
}

static void work_round(struct hand *h)
{
    struct crew *c = h->crew;

    for (size_t i = 0; i < ROUND; i++)
        bench_stream_next(&h->stream, h->key[i], h->repeat, BLOCK);
    bench_clock_start(&c->clock);
    for (size_t i = 0; i < ROUND; i++) {
        struct block *b = &h->block[i % 2];

        freshet_route(c->parts, h->key[i], BLOCK, b->sorted, b->at, b->start);
        bench_clock_meet(&c->clock);
        decide(h, i);
    }
    bench_clock_stop(&c->clock);
}

static void work(void *hand)
{
    struct hand *h = hand;
    uint64_t rounds = 0;

    do {
        work_round(h);
        rounds++;
    } while (!h->crew->clock.is_over);
    if (h->number == 0)
        h->crew->rounds = rounds;
}

/* Returns ns per record, or a negative number and sets *why. */
static double run_crew(struct crew *c, double most, struct fault *why)
{
    double status;

    bench_clock_init(&c->clock, c->threads, most);
    status = bench_team(work, c->hand, sizeof *c->hand, c->threads, why);
    freshet_join(c->parts);
    if (status < 0)
        return status;
    return c->clock.seconds * 1e9 /
           (double)(c->rounds * c->threads * ROUND * BLOCK);
}

/* Runs one thread once, all of them on one filter, and all on their own. */
static bool run_each(struct bench_lane *lane, struct crew *c,
                     struct bench_lane *own, struct bench_parts *r,
                     struct fault *why)
{
    struct error_count unread = {0};
    double one, all, apart;

    one = bench_lanes_run(lane, 1, &unread, why);
    all = one < 0 ? one : run_crew(c, lane->seconds, why);
    apart = all < 0 ? all : bench_lanes_run(own, c->threads, &unread, why);
    if (apart < 0)
        return false;
    bench_add(&r->one, one);
    bench_add(&r->all, all);
    bench_add(&r->own, apart);
    return true;
}

static void prepare(struct bench_lane *lane, const struct bench_args *args,
                    int stream)
{
    lane->batch = BENCH_BLOCK;
    lane->records = UINT64_MAX;
    lane->seconds = args->seconds;
    lane->stream.half = stream == BENCH_HALF;
}

static bool run_stream(struct bench_lane *lane, struct crew *c,
                       struct bench_lane *own, const struct bench_args *args,
                       struct bench_parts *r, struct fault *why)
{
    prepare(lane, args, r->stream);
    for (uint64_t i = 0; i < c->threads; i++) {
        c->hand[i].stream.half = lane->stream.half;
        prepare(&own[i], args, r->stream);
    }
    for (uint64_t run = 0; run < args->runs; run++)
        if (!run_each(lane, c, own, r, why))
            return false;
    return true;
}

static bool make_crew(struct crew *c, struct bench_lane *lane,
                      const struct bench_args *args, struct fault *why)
{
    unsigned parts = (unsigned)args->threads * EACH;
    freshet_error err;

    parts = parts < FRESHET_MOST_PARTS ? parts : FRESHET_MOST_PARTS;
    c->threads = args->threads;
    c->hand = calloc(c->threads, sizeof *c->hand);
    if (!c->hand || freshet_split(&c->parts, lane->filter, parts, &err) < 0)
        return fault_set(why, "%s", c->hand ? err.message : "out of memory");
    for (uint64_t i = 0; i < c->threads; i++) {
        struct hand *h = &c->hand[i];

        h->crew = c;
        h->number = (unsigned)i;
        h->stream = (struct bench_stream){.first = (i + 1) << 48,
                                          .next = (i + 1) << 48,
                                          .gap = lane->stream.gap / c->threads,
                                          .dice = args->seed + i};
    }
    return true;
}

bool bench_parts_measure(struct bench_parts result[BENCH_STREAMS],
                         struct bench_lane *lane, struct bench_lane *own,
                         const struct bench_args *args, struct fault *why)
{
    struct crew c = {0};
    bool good = make_crew(&c, lane, args, why);

    for (int s = 0; s < BENCH_STREAMS && good; s++) {
        result[s] = (struct bench_parts){.stream = s};
        if (args->stream == BENCH_DEFAULT || args->stream == s)
            good = run_stream(lane, &c, own, args, &result[s], why);
    }
    freshet_parts_free(c.parts);
    free(c.hand);
    return good;
}
