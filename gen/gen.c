/*
 * gen.c - opens and reads a stream of any kind
 */
#include "gen.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"
#include "kind.h"

struct gen {
    const struct gen_kind *kind;
    struct gen_about about;
    uint64_t records; /* 0: the stream does not end */
    uint64_t done;
    alignas(max_align_t) unsigned char state[];
};

static const struct gen_kind *kind_named(const char *name, size_t len)
{
    for (size_t i = 0; gen_kinds[i]; i++)
        if (strlen(gen_kinds[i]->name) == len &&
            memcmp(gen_kinds[i]->name, name, len) == 0)
            return gen_kinds[i];
    return NULL;
}

/* Writes the names of all kinds: "uniform, poisson, zipf". */
static void name_kinds(char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; gen_kinds[i]; i++) {
        size_t len = strlen(gen_kinds[i]->name);

        if (used + len + 3 > size)
            return;
        memcpy(out + used, i ? ", " : "", i ? 3 : 1);
        used += i ? 2 : 0;
        memcpy(out + used, gen_kinds[i]->name, len + 1);
        used += len;
    }
}

static int no_such_kind(const char *name, size_t len, struct fault *why)
{
    char kinds[160];

    name_kinds(kinds, sizeof kinds);
    fault_set(why, "there is no kind of stream named '%.*s'; the kinds are %s",
              gen_quotable(name, len), name, kinds);
    return -1;
}

/* Checks p and fills in the defaults, then opens the stream. */
static int open_kind(struct gen **out, const struct gen_kind *kind,
                     struct gen_params *p, struct fault *why)
{
    struct gen *g;

    if (gen_params_complete(p, kind->name, kind->takes, why) < 0)
        return -1;
    g = calloc(1, sizeof *g + kind->size);
    if (!g) {
        fault_set(why, "out of memory");
        return -1;
    }
    g->kind = kind;
    g->records = p->records;
    g->about.distinct = (double)NAN;
    if (kind->start(g->state, p, &g->about, why) < 0) {
        gen_free(g);
        return -1;
    }
    *out = g;
    return 0;
}

int gen_open_params(struct gen **out, const char *spec,
                    const struct gen_params *params, struct fault *why)
{
    size_t len = strcspn(spec, ":");
    const struct gen_kind *kind = kind_named(spec, len);
    struct gen_params p = *params;

    if (!kind)
        return no_such_kind(spec, len, why);
    if (spec[len] && gen_params_read(&p, spec + len + 1, why) < 0)
        return -1;
    return open_kind(out, kind, &p, why);
}

int gen_open(struct gen **out, const char *spec, struct fault *why)
{
    return gen_open_params(out, spec, &gen_unset, why);
}

void gen_free(struct gen *g)
{
    if (g && g->kind->stop)
        g->kind->stop(g->state);
    free(g);
}

size_t gen_next(struct gen *g, uint64_t *key, uint8_t *repeat, size_t n)
{
    if (g->records && g->records - g->done < n)
        n = (size_t)(g->records - g->done);
    if (n)
        g->kind->next(g->state, g->done, key,
                      g->about.knows_truth ? repeat : NULL, n);
    g->done += n;
    return n;
}

bool gen_knows_truth(const struct gen *g)
{
    return g->about.knows_truth;
}

uint64_t gen_universe(const struct gen *g)
{
    return g->about.universe;
}

uint64_t gen_records(const struct gen *g)
{
    return g->records;
}

double gen_distinct(const struct gen *g)
{
    return g->about.distinct;
}

size_t gen_text(const struct gen *g, char *out, uint64_t key)
{
    size_t len;

    if (g->kind->text)
        return g->kind->text(out, key);
    len = decimal_put(out, key);
    out[len] = '\n';
    return len + 1;
}

/* Each case has a loop of its own: these loops take most of the time. */
static char *put_numbers(char *out, const uint64_t *key, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out += decimal_put(out, key[i]);
        *out++ = '\n';
    }
    return out;
}

static char *put_marked(const struct gen *g, char *out, const uint64_t *key,
                        const uint8_t *repeat, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *out++ = (char)('0' + repeat[i]);
        *out++ = '\t';
        out += gen_text(g, out, key[i]);
    }
    return out;
}

size_t gen_texts(const struct gen *g, char *out, const uint64_t *key,
                 const uint8_t *repeat, size_t n)
{
    char *end = out;

    if (repeat)
        end = put_marked(g, out, key, repeat, n);
    else if (!g->kind->text)
        end = put_numbers(out, key, n);
    else
        for (size_t i = 0; i < n; i++)
            end += g->kind->text(end, key[i]);
    return (size_t)(end - out);
}

bool gen_is_text(const struct gen *g)
{
    return g->kind->text;
}

const char *gen_kind_name(size_t i)
{
    return gen_kinds[i] ? gen_kinds[i]->name : NULL;
}

const char *gen_kind_summary(size_t i)
{
    return gen_kinds[i]->summary;
}

const char *gen_kind_takes(size_t i)
{
    return gen_kinds[i]->takes;
}
