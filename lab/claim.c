/*
 * claim.c - published claims, and how they are measured here
 */
#include "claim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm_spec.h"
#include "freshet.h"
#include "lower_bound.h"

enum {
    SEEDS = 5,
    LEAST_RECORDS = 1000000, /* of all runs together */
    LEAST_BYTES = 2048,
    MANY = 50000, /* errors of each kind in one run */
    FEW = 3000
};

/* ---- Trials ----------------------------------------------------------- */

static bool is(const struct published *p, const char *algorithm)
{
    return strcmp(p->algorithm, algorithm) == 0;
}

static void clear_rate(struct trial_rate *r)
{
    r->mean = r->deviation = (double)NAN;
    for (size_t i = 0; i < CLAIM_RUNS; i++)
        r->run[i] = (double)NAN;
}

static struct trial *add_trial(struct claim *c, const char *label)
{
    struct trial *t = &c->trial[c->trials++];

    t->label = label;
    clear_rate(&t->fpr);
    clear_rate(&t->fnr);
    return t;
}

#define ADD(claim, label, ...)                                                 \
    snprintf(add_trial(claim, label)->algorithm,                               \
             sizeof((struct trial *)0)->algorithm, __VA_ARGS__)

/*
 * Returns whether a random number of 31 bits modulo the number of places is far
 * from uniform.  It is not if 2^31 is much larger, or a multiple.
 */
static bool is_uneven(double places)
{
    double times = 0x1p31 / places;

    return times < 16 && fabs(times - floor(times + 0.5)) > 0.001;
}

static void add_random31(struct claim *c, double places, const char *params)
{
    if (is_uneven(places))
        ADD(c, "a 31-bit random", "%s31/%u:%s", c->printed.algorithm, c->scale,
            params);
}

static void add_described(struct claim *c)
{
    const struct published *p = &c->printed;
    double bits = (double)p->memory * 8;
    char params[16];

    snprintf(params, sizeof params, "k=%u", p->k);
    if (is(p, "sbf")) {
        ADD(c, NULL, "sbf:d=1,k=2,p=4");
        add_random31(c, bits, "d=1,k=2,p=4");
    } else if (is(p, "rsbf")) {
        ADD(c, NULL, "rsbf:%s", params);
        ADD(c, "sampling=early", "rsbf:%s,sampling=early", params);
    } else if (is(p, "sqf")) {
        ADD(c, NULL, "sqf:r=2,rp=1,k=4");
    } else if (is(p, "isqf")) {
        ADD(c, NULL, "isqf:r=2,rp=1,k=4,m=%u,rows=quotient", p->k);
    } else {
        ADD(c, NULL, "%s:%s", p->algorithm, params);
        if (!is(p, "rlbsbf"))
            add_random31(c, bits / p->k, params);
    }
}

static unsigned runs_of(uint64_t records)
{
    uint64_t runs = records ? LEAST_RECORDS / records : 1;

    return runs < SEEDS        ? SEEDS
           : runs < CLAIM_RUNS ? (unsigned)runs
                               : CLAIM_RUNS;
}

/* Sets the stream of each trial, and adds a trial on a uniform stream. */
static void add_streams(struct claim *c, uint64_t records, unsigned runs)
{
    struct trial *t;

    for (size_t i = 0; i < c->trials; i++) {
        t = &c->trial[i];
        t->runs = runs;
        snprintf(t->stream, sizeof t->stream,
                 "shuffled:n=%" PRIu64 ",distinct=%g%%", records,
                 c->printed.distinct);
    }
    if (runs == 1)
        return;
    t = add_trial(c, "uniform stream");
    t->beside = true;
    t->runs = 1;
    memcpy(t->algorithm, t[-1].algorithm, sizeof t->algorithm);
    snprintf(t->stream, sizeof t->stream, "uniform:n=%" PRIu64 ",distinct=%g%%",
             records, c->printed.distinct);
}

/* At the printed size only the variant is measured, once: each run takes
   minutes. */
static void use_variant_only(struct claim *c)
{
    c->trial[0] = c->trial[c->trials - 1];
    c->trials = 1;
}

/*
 * Returns the memory of a filter besides its bits, which are all that papers
 * count.  It does not depend on the size.  For slots of several bits it is
 * unknown, but small compared with their memory.
 */
static uint64_t overhead(const char *algorithm)
{
    struct algorithm_spec spec = algorithm_spec_of(algorithm, true);
    freshet_options o = {.size = sizeof o,
                         .algorithm = spec.algorithm,
                         .params = spec.params,
                         .memory = 8192,
                         .seed = 1};
    freshet_info info = {.size = sizeof info};
    uint64_t other;
    freshet *f;

    if (freshet_create(&f, &o, NULL) < 0)
        return 0;
    freshet_get_info(f, &info);
    freshet_free(f);
    other = info.memory - info.slots / 8;
    return other < 1024 ? other : 0;
}

/* ---- Sizes ------------------------------------------------------------ */

/* Returns the printed number of errors of one kind for a run of 1/scale of the
   size. */
static double errors_at(const struct published *p, unsigned scale)
{
    double records = (double)p->records / scale, distinct = p->distinct / 100;
    double drops = records * distinct * p->fpr / 100;
    double passes = records * (1 - distinct) * p->fnr / 100;

    return isnan(passes) ? drops : fmin(drops, passes);
}

/* Returns the smallest size that counts enough errors, or fewer if rates are
   tiny. */
static uint64_t wanted_scale(const struct published *p)
{
    static const struct {
        unsigned scale;
        double errors;
    } sizes[] = {{1000, MANY}, {500, MANY}, {200, MANY},
                 {100, FEW},   {50, FEW},   {20, FEW}};

    if (is(p, "sqf") || is(p, "isqf")) /* the printed rates are never reached */
        return 200;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (errors_at(p, sizes[i].scale) >= sizes[i].errors)
            return sizes[i].scale;
    return 20;
}

static unsigned scale_of(const struct published *p)
{
    uint64_t scale = wanted_scale(p);

    if (scale <= 100 && p->records / LEAST_RECORDS < scale)
        scale = p->records / LEAST_RECORDS;
    if (p->memory / LEAST_BYTES < scale)
        scale = p->memory / LEAST_BYTES;
    return scale ? (unsigned)scale : 1;
}

/* Sets the least and the largest FPR of any filter of the kind. */
static void add_bounds(struct claim *c)
{
    const struct published *p = &c->printed;
    double keys = p->distinct / 100 * (double)p->records;
    double bits = (double)p->memory * 8 / keys;

    c->least = c->most = (double)NAN;
    if (is(p, "sqf") || is(p, "isqf"))
        c->least = 100 * floor_drops(bits);
    if (is(p, "rsbf") || is(p, "bsbf") || is(p, "bsbfsd") || is(p, "rlbsbf"))
        c->most = 100 * bloom_drops(bits / p->k, p->k);
}

static struct claim claim_of(const struct published *p, bool full)
{
    struct claim c = {.printed = *p, .misprint = (double)NAN};

    c.scale = full ? 1 : scale_of(p);
    add_described(&c);
    c.memory = p->memory / c.scale + overhead(c.trial[0].algorithm);
    if (full)
        use_variant_only(&c);
    add_streams(&c, p->records / c.scale,
                full ? 1 : runs_of(p->records / c.scale));
    add_bounds(&c);
    return c;
}

/* ---- All of them ------------------------------------------------------ */

const char *claims_experiment(const struct claims *c)
{
    return c->full ? "reproduce full" : "reproduce";
}

static bool is_named(const struct published *p, char *const *names, size_t n)
{
    char name[PUBLISHED_NAME];

    published_name(name, p);
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return n == 0;
}

static bool exists(const char *name)
{
    struct published p;

    for (size_t i = 0; published_at(i, &p); i++)
        if (is_named(&p, (char *const[]){(char *)(uintptr_t)name}, 1))
            return true;
    return false;
}

bool claims_make(struct claims *c, char *const *names, size_t n, bool full,
                 struct fault *why)
{
    struct published p;
    size_t cells = 0;

    *c = (struct claims){.full = full};
    for (size_t i = 0; i < n; i++)
        if (!exists(names[i])) {
            fault_set(why,
                      "there is no table '%.40s'; the tables are bera1 to "
                      "bera9, dutta2 to dutta5, che1 and che2",
                      names[i]);
            return false;
        }
    while (published_at(cells, &p))
        cells++;
    /* The tables have cells.
       NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
    c->claim = calloc(cells, sizeof *c->claim);
    if (!c->claim) {
        fault_set(why, "out of memory");
        return false;
    }
    for (size_t i = 0; published_at(i, &p); i++)
        if (is_named(&p, names, n))
            c->claim[c->n++] = claim_of(&p, full);
    return true;
}

bool claims_alike(const struct claim *a, const struct claim *b)
{
    return a->memory == b->memory && a->trials == b->trials &&
           strcmp(a->trial[0].stream, b->trial[0].stream) == 0 &&
           strcmp(a->trial[0].algorithm, b->trial[0].algorithm) == 0;
}

void claims_free(struct claims *c)
{
    free(c->claim);
    *c = (struct claims){0};
}

/* ---- Results ---------------------------------------------------------- */

/* Returns the run of a trial that a row belongs to, from 1; 0: none. */
static unsigned run_of(const struct trial *t, const struct row *row)
{
    const char *stream = row_cell(row, ROW_STREAM);
    size_t len = strlen(t->stream);

    if (strcmp(row_cell(row, ROW_ALGORITHM), t->algorithm) != 0 ||
        strncmp(stream, t->stream, len) != 0)
        return 0;
    for (unsigned i = 1; i <= t->runs; i++) {
        char seed[24];

        snprintf(seed, sizeof seed, ",seed=%u", i);
        if (strcmp(stream + len, seed) == 0)
            return i;
    }
    return 0;
}

/* Sets the mean, or NaN if a run is missing. */
static void average(struct trial_rate *r, unsigned runs)
{
    double squares = 0;

    r->mean = 0;
    for (unsigned i = 0; i < runs; i++)
        r->mean += r->run[i] / runs;
    for (unsigned i = 0; i < runs; i++)
        squares += (r->run[i] - r->mean) * (r->run[i] - r->mean);
    r->deviation = runs > 1 ? sqrt(squares / (runs - 1)) : 0;
}

static bool enter(struct claim *c, const struct row *row)
{
    bool entered = false;

    if ((uint64_t)row_number(row, ROW_MEMORY) != c->memory)
        return false;
    for (size_t i = 0; i < c->trials; i++) {
        struct trial *t = &c->trial[i];
        unsigned run = run_of(t, row);

        if (!run)
            continue;
        t->fpr.run[run - 1] = 100 * row_number(row, ROW_FPR);
        t->fnr.run[run - 1] = 100 * row_number(row, ROW_FNR);
        average(&t->fpr, t->runs);
        average(&t->fnr, t->runs);
        entered = true;
    }
    return entered;
}

bool claims_enter(struct claims *c, const struct row *row)
{
    bool entered = false;

    if (!row_is_whole(row) ||
        strcmp(row_cell(row, ROW_EXPERIMENT), claims_experiment(c)) != 0)
        return false;
    for (size_t i = 0; i < c->n; i++)
        entered |= enter(&c->claim[i], row);
    return entered;
}
