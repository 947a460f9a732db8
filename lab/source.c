/*
 * source.c - the streams that filters are measured on, with the truth
 */
#include "source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Describing ------------------------------------------------------- */

/* Is there a "seed=" among the parameters? */
static bool says_seed(const char *spec)
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
    int n = says_seed(spec)
                ? snprintf(s->spec, sizeof s->spec, "%s", spec)
                : snprintf(s->spec, sizeof s->spec, "%s%cseed=%" PRIu64, spec,
                           strchr(spec, ':') ? ',' : ':', seed);

    if (n >= 0 && (size_t)n < sizeof s->spec)
        return true;
    fault_set(why, "%.40s...: too long", spec);
    return false;
}

/* Theory has an average over uniform draws, and nothing for the others. */
static freshet_workload workload_of(const struct stream *s, uint64_t universe)
{
    freshet_workload w = {0};

    if (strncmp(s->spec, "uniform:", 8) == 0)
        w = (freshet_workload){.size = sizeof w,
                               .distinct = universe,
                               .records = s->records};
    return w;
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
    s->workload = workload_of(s, gen_universe(g));
    gen_free(g);
    if (s->records == 0)
        fault_set(why, "%s does not end; say how many records with n=N", spec);
    return s->records > 0;
}

void stream_of_recording(struct stream *s, const struct recording *r,
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

bool source_open(struct source *s, const struct stream *stream,
                 struct fault *why)
{
    memset(s, 0, offsetof(struct source, key));
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

void source_next(struct source *s, size_t n)
{
    const struct recording *r = s->stream->recording;
    uint64_t left = s->stream->records - s->at;

    s->n = left < n ? (size_t)left : n;
    if (r) {
        s->hash = r->hash + s->at;
        s->repeat = r->repeat + s->at;
    } else {
        s->n = truth_next(&s->truth, s->key, s->repeat_made, s->n);
        s->repeat = s->repeat_made;
    }
    s->repeats = 0;
    for (size_t i = 0; i < s->n; i++)
        s->repeats += s->repeat[i];
    s->at += s->n;
}

void source_hash(struct source *s, const freshet *f)
{
    if (s->stream->recording)
        return;
    for (size_t i = 0; i < s->n; i++)
        s->hash_made[i] = freshet_hash_key(f, &s->key[i], sizeof s->key[i]);
    s->hash = s->hash_made;
}

void source_close(struct source *s)
{
    if (!s->gen)
        return;
    truth_close(&s->truth);
    gen_free(s->gen);
}
