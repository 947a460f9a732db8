/*
 * key_stream.c - the streams of measurements, with known repeats
 */
#include "key_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error_count.h"
#include "params.h"

/* ---- Describing ------------------------------------------------------- */

/* Returns whether the parameters contain "seed=". */
static bool has_seed(const char *spec)
{
    const char *at = strpbrk(spec, ":");

    for (; at; at = strchr(at + 1, ','))
        if (strncmp(at + 1, "seed=", 5) == 0)
            return true;
    return false;
}

static bool name_stream(struct stream *s, const char *spec, uint64_t seed,
                        struct fault *why)
{
    int n = has_seed(spec)
                ? snprintf(s->spec, sizeof s->spec, "%s", spec)
                : snprintf(s->spec, sizeof s->spec, "%s%cseed=%" PRIu64, spec,
                           strchr(spec, ':') ? ',' : ':', seed);

    if (n >= 0 && (size_t)n < sizeof s->spec)
        return true;
    fault_set(why, "%.40s...: too long", spec);
    return false;
}

/* Reads the parameters of a spec, with defaults.  Returns false if it is of
   another kind. */
static bool read_params(struct gen_params *p, const char *spec,
                        const char *kind)
{
    size_t len = strlen(kind), i = 0;
    struct fault why;

    *p = gen_unset;
    if (strncmp(spec, kind, len) != 0 || spec[len] != ':')
        return false;
    while (strcmp(gen_kind_name(i), kind) != 0)
        i++;
    return gen_params_read(p, spec + len + 1, &why) == 0 &&
           gen_params_complete(p, kind, gen_kind_takes(i), &why) == 0;
}

/* Returns the gap that a share q of an endless stream's repeats is below. */
static double gap_at(const struct gen_params *p, double q)
{
    double least = (double)p->least, gap = (double)p->gap;

    switch (p->shape) {
    case GEN_UNIFORM:
        return least + (gap - least) * q;
    case GEN_LOGUNIFORM:
        return least * pow(gap / least, q);
    case GEN_EXPONENTIAL:
        return -gap * log1p(-q);
    default:
        return gap;
    }
}

/*
 * A generator's gap counts records, which is the span in theory; the gap in
 * theory counts the new keys among them.  Gaps are chosen at the middles of
 * equal shares of the repeats.
 */
static void expect_endless(struct stream *s, const struct gen_params *p)
{
    double fresh = 1 - p->repeats;

    s->workloads = p->shape == GEN_FIXED ? 1 : STREAM_GAPS;
    for (size_t i = 0; i < s->workloads; i++) {
        double q = ((double)i + 0.5) / (double)s->workloads;
        double gap = gap_at(p, q);

        s->workload[i] =
            (freshet_workload){.size = sizeof *s->workload,
                               .gap = (uint64_t)fmax(1, gap * fresh),
                               .span = (uint64_t)fmax(1, gap)};
    }
    if (p->shape == GEN_FIXED || (p->shape == GEN_UNIFORM && p->least <= 1))
        s->reach = (uint64_t)fmax(1, (double)p->gap * fresh);
}

/* Theory covers uniform draws, and endless streams in their steady state. */
static void expect(struct stream *s, uint64_t universe)
{
    struct gen_params p;

    if (read_params(&p, s->spec, "uniform")) {
        s->reach = UINT64_MAX;
        s->workloads = 1;
        s->workload[0] = (freshet_workload){.size = sizeof *s->workload,
                                            .distinct = universe,
                                            .records = s->records};
    } else if (read_params(&p, s->spec, "endless")) {
        expect_endless(s, &p);
    }
}

bool stream_of_spec(struct stream *s, const char *spec, uint64_t seed,
                    struct fault *why)
{
    struct gen *g;
    double distinct;

    *s = (struct stream){0};
    if (!name_stream(s, spec, seed, why) || gen_open(&g, s->spec, why) < 0)
        return false;
    s->records = gen_records(g);
    distinct = gen_distinct(g);
    s->distinct = isnan(distinct) ? s->records : (uint64_t)distinct;
    s->truth = truth_memory(g);
    expect(s, gen_universe(g));
    gen_free(g);
    if (s->records == 0)
        fault_set(why, "%s does not end; give the number of records with n=N",
                  spec);
    return s->records > 0;
}

void stream_of_recording(struct stream *s, const struct input_keys *r,
                         const char *name)
{
    *s = (struct stream){.recording = r,
                         .records = r->records,
                         .distinct = r->records - r->repeats};
    snprintf(s->spec, sizeof s->spec,
             "file:name=%.400s,records=%" PRIu64 ",digest=%016" PRIx64, name,
             r->records, r->digest);
}

/* ---- Reading ---------------------------------------------------------- */

bool key_reader_open(struct key_reader *s, const struct stream *stream,
                     struct fault *why)
{
    memset(s, 0, offsetof(struct key_reader, key));
    s->stream = stream;
    if (stream->recording)
        return true;
    if (gen_open(&s->gen, stream->spec, why) < 0)
        return false;
    if (truth_open(&s->truth, s->gen, why) == 0)
        return true;
    gen_free(s->gen);
    s->gen = NULL;
    return false;
}

void key_reader_next(struct key_reader *s, size_t n)
{
    const struct input_keys *r = s->stream->recording;
    uint64_t left = s->stream->records - s->at;

    s->n = left < n ? (size_t)left : n;
    if (r) {
        s->hash = r->hash + s->at;
        s->repeat = r->repeat + s->at;
    } else {
        s->n = truth_next(&s->truth, s->key, s->repeat_made, s->n);
        s->repeat = s->repeat_made;
    }
    s->repeats = (size_t)error_count_both(s->repeat, s->repeat, s->n);
    s->at += s->n;
}

void key_reader_hash(struct key_reader *s, const freshet *f)
{
    if (s->stream->recording)
        return;
    for (size_t i = 0; i < s->n; i++)
        s->hash_made[i] = freshet_hash_key(f, &s->key[i], sizeof s->key[i]);
    s->hash = s->hash_made;
}

void key_reader_close(struct key_reader *s)
{
    if (!s->gen)
        return;
    truth_close(&s->truth);
    gen_free(s->gen);
}
