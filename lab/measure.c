/*
 * measure.c - measures one filter on one stream
 *
 * Clocks are read three times per block of records, which costs a tenth of a
 * nanosecond per record.
 */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "random31.h"

__extension__ typedef unsigned __int128 u128;

/* A run in progress. */
struct run {
    struct measure *m;
    freshet *filter;
    struct random31 *variation; /* decides instead of the filter, or NULL */
    struct key_reader reader;
    struct error_count tally, half;
    uint64_t next_point;
    double hashing, deciding; /* seconds */
    uint8_t seen[KEY_BLOCK];
};

static struct measure_point make_point(const struct run *r)
{
    freshet_info info = {.size = sizeof info};
    struct measure_point p = {r->tally, (double)NAN};

    freshet_get_info(r->filter, &info); /* reads the whole filter */
    if (r->variation)
        p.fill = random31_fill(r->variation);
    else if (info.used != FRESHET_UNKNOWN && info.slots)
        p.fill = (double)info.used / (double)info.slots;
    return p;
}

/* Returns the position of point i in the stream, from 0. */
static uint64_t place_of(const struct measure *m, uint64_t i)
{
    return (uint64_t)((u128)m->stream->records * (i + 1) / m->points);
}

/* Returns the record up to which the filter runs without interruption. */
static uint64_t next_stop(const struct run *r)
{
    uint64_t half = r->m->stream->records / 2, stop = r->m->stream->records;

    if (r->next_point < r->m->points)
        stop = place_of(r->m, r->next_point);
    return r->tally.records < half && half < stop ? half : stop;
}

static size_t decide(struct run *r)
{
    const struct key_reader *s = &r->reader;

    return r->variation
               ? random31_offer(r->variation, s->hash, s->n, r->seen)
               : freshet_offer_batch(r->filter, s->hash, s->n, r->seen);
}

static void run_block(struct run *r, size_t n)
{
    struct key_reader *s = &r->reader;
    double start, hashed;
    size_t fresh;

    key_reader_next(s, n);
    start = clock_seconds();
    key_reader_hash(s, r->filter);
    hashed = clock_seconds();
    fresh = decide(r);
    r->deciding += clock_seconds() - hashed;
    r->hashing += hashed - start;
    r->tally.records += s->n;
    r->tally.repeats += s->repeats;
    r->tally.seen += s->n - fresh;
    r->tally.hits += error_count_both(r->seen, s->repeat, s->n);
    if (r->m->progress)
        *r->m->progress += s->n;
}

static void run_to(struct run *r, uint64_t stop)
{
    while (r->tally.records < stop) {
        uint64_t left = stop - r->tally.records;

        run_block(r, left < KEY_BLOCK ? (size_t)left : KEY_BLOCK);
    }
}

static void run_all(struct run *r)
{
    struct measure *m = r->m;
    uint64_t records = m->stream->records;

    while (r->tally.records < records || r->next_point < m->points) {
        run_to(r, next_stop(r));
        if (r->tally.records == records / 2)
            r->half = r->tally;
        while (r->next_point < m->points &&
               place_of(m, r->next_point) == r->tally.records)
            m->point[r->next_point++] = make_point(r);
    }
}

static void finish(struct run *r, double seconds)
{
    struct measure *m = r->m;
    double ns = 1e9 / (double)r->tally.records;

    m->end = make_point(r);
    m->steady = error_count_since(&r->tally, &r->half);
    m->keys_by_half = error_count_new(&r->half);
    m->time = (struct measure_time){
        .filter = r->deciding * ns,
        .hash = m->stream->recording ? (double)NAN : r->hashing * ns,
        .total = seconds * ns,
    };
    m->info.size = sizeof m->info;
    freshet_get_info(r->filter, &m->info);
}

/* ---- Theory ----------------------------------------------------------- */

/* Returns the mean over the stream's workloads; NaN if unknown. */
static freshet_rates expected(const struct measure *m, uint64_t published)
{
    const struct stream *s = m->stream;
    freshet_rates sum = {.size = sizeof sum};
    double n = m->random31 ? 0 : (double)s->workloads;

    for (size_t i = 0; i < (size_t)n; i++) {
        freshet_rates one = {.size = sizeof one};
        freshet_workload w = s->workload[i];

        w.published = published;
        if (freshet_expect_options(&one, &m->options, &w, NULL) < 0)
            return (freshet_rates){.false_drop = (double)NAN,
                                   .false_pass = (double)NAN};
        sum.false_drop += one.false_drop;
        sum.false_pass += one.false_pass;
        sum.theory = one.theory;
    }
    sum.false_drop /= n; /* 0 / 0 is NaN, which is intended */
    sum.false_pass /= n;
    return sum;
}

void measure_expect(struct measure *m)
{
    freshet_rates stable = {.size = sizeof stable};
    freshet_workload w = {.size = sizeof w, .gap = 1};
    bool known = !m->random31 &&
                 freshet_expect_options(&stable, &m->options, &w, NULL) == 0;

    m->theory = expected(m, 0);
    m->published = expected(m, 1);
    m->stable_fill = known ? stable.stable_fill : (double)NAN;
    m->stable_after = known ? stable.stable_after : (double)NAN;
}

bool measure_run(struct measure *m, struct fault *why)
{
    struct run *r = calloc(1, sizeof *r);
    freshet_error err;
    bool good = false;

    m->point = m->points ? calloc(m->points, sizeof *m->point) : NULL;
    if (!r || (m->points && !m->point)) {
        fault_set(why, "out of memory");
    } else if (freshet_create(&r->filter, &m->options, &err) < 0) {
        fault_set(why, "%s", err.message);
    } else if (m->random31 &&
               !(r->variation = random31_create(r->filter, m->random31, why))) {
        good = false;
    } else if (key_reader_open(&r->reader, m->stream, why)) {
        double start = clock_seconds();

        r->m = m;
        run_all(r);
        finish(r, clock_seconds() - start);
        measure_expect(m);
        key_reader_close(&r->reader);
        good = true;
    }
    if (r) {
        random31_free(r->variation);
        freshet_free(r->filter);
    }
    if (!good)
        free(m->point);
    free(r);
    return good;
}
