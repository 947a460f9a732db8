/*
 * measure.c - one filter on one stream, against the truth
 *
 * Clocks are looked at three times in a block of records, which costs a tenth
 * of a nanosecond a record.
 */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "random31.h"

__extension__ typedef unsigned __int128 u128;

/* One run under way. */
struct run {
    struct measure *m;
    freshet *filter;
    struct random31 *variation; /* decides in the filter's place, or NULL */
    struct source source;
    struct error_count tally, half;
    uint64_t next_point;
    double hashing, deciding; /* seconds */
    uint8_t seen[SOURCE_BLOCK];
};

static struct measure_point look(const struct run *r)
{
    freshet_info info = {.size = sizeof info};
    struct measure_point p = {r->tally, (double)NAN};

    freshet_get_info(r->filter, &info); /* reads all of the filter */
    if (r->variation)
        p.fill = random31_fill(r->variation);
    else if (info.used != FRESHET_UNKNOWN && info.slots)
        p.fill = (double)info.used / (double)info.slots;
    return p;
}

/* Where in the stream point i is, from 0. */
static uint64_t place_of(const struct measure *m, uint64_t i)
{
    return (uint64_t)((u128)m->stream->records * (i + 1) / m->points);
}

/* The record up to which nothing happens but filtering. */
static uint64_t next_stop(const struct run *r)
{
    uint64_t half = r->m->stream->records / 2, stop = r->m->stream->records;

    if (r->next_point < r->m->points)
        stop = place_of(r->m, r->next_point);
    return r->tally.records < half && half < stop ? half : stop;
}

static size_t decide(struct run *r)
{
    const struct source *s = &r->source;

    return r->variation
               ? random31_offer(r->variation, s->hash, s->n, r->seen)
               : freshet_offer_batch(r->filter, s->hash, s->n, r->seen);
}

static void run_block(struct run *r, size_t n)
{
    struct source *s = &r->source;
    double start, hashed;
    size_t fresh;

    source_next(s, n);
    start = clock_seconds();
    source_hash(s, r->filter);
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

        run_block(r, left < SOURCE_BLOCK ? (size_t)left : SOURCE_BLOCK);
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
            m->point[r->next_point++] = look(r);
    }
}

static void finish(struct run *r, double seconds)
{
    struct measure *m = r->m;
    double ns = 1e9 / (double)r->tally.records;

    m->end = look(r);
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

/* Averaged over the stream's workloads; NaN where theory has nothing. */
static freshet_rates expected(const struct measure *m, const freshet *filter,
                              uint64_t published)
{
    const struct stream *s = m->stream;
    freshet_rates sum = {.size = sizeof sum};
    double n = m->random31 ? 0 : (double)s->workloads;

    for (size_t i = 0; i < (size_t)n; i++) {
        freshet_rates one = {.size = sizeof one};
        freshet_workload w = s->workload[i];

        w.published = published;
        if (freshet_expect(&one, filter, &w, NULL) < 0)
            return (freshet_rates){.false_drop = (double)NAN,
                                   .false_pass = (double)NAN};
        sum.false_drop += one.false_drop;
        sum.false_pass += one.false_pass;
        sum.theory = one.theory;
    }
    sum.false_drop /= n; /* 0 / 0 is NaN, as it should be */
    sum.false_pass /= n;
    return sum;
}

/* What theory says of the filter on the stream. */
static void expect_all(struct measure *m, const freshet *filter)
{
    freshet_rates stable = {.size = sizeof stable};
    freshet_workload w = {.size = sizeof w, .gap = 1};
    bool known = !m->random31 && freshet_expect(&stable, filter, &w, NULL) == 0;

    m->theory = expected(m, filter, 0);
    m->published = expected(m, filter, 1);
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
    } else if (source_open(&r->source, m->stream, why)) {
        double start = clock_seconds();

        r->m = m;
        run_all(r);
        finish(r, clock_seconds() - start);
        expect_all(m, r->filter);
        source_close(&r->source);
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
