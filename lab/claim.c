/*
 * claim.c - what a paper prints, how it is tried here, and what comes of it
 */
#include "claim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm_spec.h"
#include "freshet.h"
#include "lower_bound.h"

#define CLOSE 0.05 /* of the printed rate */
#define FEW   0.15 /* percentage points */

enum { SCALE = 100, LEAST_RECORDS = 1000000, LEAST_BYTES = 2048 };

/* ---- Trials ----------------------------------------------------------- */

static bool is(const struct published *p, const char *algorithm)
{
    return strcmp(p->algorithm, algorithm) == 0;
}

static struct trial *add_trial(struct claim *c, const char *label)
{
    struct trial *t = &c->trial[c->trials++];

    t->label = label;
    t->fpr = t->fnr = (double)NAN;
    for (size_t i = 0; i < CLAIM_RUNS; i++)
        t->run[i].fpr = t->run[i].fnr = (double)NAN;
    return t;
}

#define ADD(claim, label, ...)                                                 \
    snprintf(add_trial(claim, label)->algorithm,                               \
             sizeof((struct trial *)0)->algorithm, __VA_ARGS__)

static void add_trials(struct claim *c)
{
    const struct published *p = &c->printed;

    if (is(p, "sbf")) {
        ADD(c, NULL, "sbf:d=1,k=2,p=4");
        if (p->memory * 8 > UINT64_C(1) << 31) /* cells */
            ADD(c, "a 31-bit random", "sbf31:d=1,k=2,p=4");
    } else if (is(p, "rsbf")) {
        ADD(c, NULL, "rsbf:k=%u", p->k);
        ADD(c, "sampling=off", "rsbf:k=%u,sampling=off", p->k);
    } else if (is(p, "sqf")) {
        ADD(c, NULL, "sqf:r=2,rp=1,k=4");
    } else if (is(p, "isqf")) {
        ADD(c, NULL, "isqf:r=2,rp=1,k=4,m=%u", p->k);
    } else {
        ADD(c, NULL, "%s:k=%u", p->algorithm, p->k);
    }
}

/*
 * What a filter takes beside its bits, which is all that papers count.  It is
 * the same whatever the size.  Of slots with several bits it is not known, but
 * small beside the memory that these are given.
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
    freshet *f;

    if (freshet_create(&f, &o, NULL) < 0)
        return 0;
    freshet_get_info(f, &info);
    freshet_free(f);
    return info.memory - info.slots / 8 < 1024 ? info.memory - info.slots / 8
                                               : 0;
}

static unsigned scale_of(const struct published *p)
{
    uint64_t scale = SCALE;

    if (p->records / LEAST_RECORDS < scale)
        scale = p->records / LEAST_RECORDS;
    if (p->memory / LEAST_BYTES < scale)
        scale = p->memory / LEAST_BYTES;
    return scale ? (unsigned)scale : 1;
}

static unsigned runs_of(uint64_t records)
{
    uint64_t runs = records ? LEAST_RECORDS / records : 1;

    return runs < 1 ? 1 : runs < CLAIM_RUNS ? (unsigned)runs : CLAIM_RUNS;
}

static struct claim claim_of(const struct published *p, bool full)
{
    struct claim c = {.printed = *p, .bound = (double)NAN};

    c.scale = full ? 1 : scale_of(p);
    c.runs = runs_of(p->records / c.scale);
    add_trials(&c);
    snprintf(c.stream, sizeof c.stream, "uniform:n=%" PRIu64 ",distinct=%g%%",
             p->records / c.scale, p->distinct);
    c.memory = p->memory / c.scale + overhead(c.trial[0].algorithm);
    if (is(p, "sqf") || is(p, "isqf"))
        c.bound = 100 * floor_drops((double)p->memory * 8 /
                                    (p->distinct / 100 * (double)p->records));
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
                      "there is no table '%.40s'; there are bera1 to bera9, "
                      "dutta2 to dutta5, che1 and che2",
                      names[i]);
            return false;
        }
    while (published_at(cells, &p))
        cells++;
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
    return a->memory == b->memory && strcmp(a->stream, b->stream) == 0 &&
           strcmp(a->trial[0].algorithm, b->trial[0].algorithm) == 0;
}

void claims_free(struct claims *c)
{
    free(c->claim);
    *c = (struct claims){0};
}

/* ---- Verdicts --------------------------------------------------------- */

/* Which run of a claim a row is of, from 1; 0: of none. */
static unsigned run_of(const struct claim *c, const struct row *row)
{
    const char *stream = row_cell(row, ROW_STREAM);
    size_t len = strlen(c->stream);

    if ((uint64_t)row_number(row, ROW_MEMORY) != c->memory ||
        strncmp(stream, c->stream, len) != 0)
        return 0;
    for (unsigned i = 1; i <= c->runs; i++) {
        char seed[24];

        snprintf(seed, sizeof seed, ",seed=%u", i);
        if (strcmp(stream + len, seed) == 0)
            return i;
    }
    return 0;
}

/* NaN as long as one is missing. */
static void average(struct trial *t, unsigned runs)
{
    t->fpr = t->fnr = 0;
    for (unsigned i = 0; i < runs; i++) {
        t->fpr += t->run[i].fpr / runs;
        t->fnr += t->run[i].fnr / runs;
    }
}

static bool enter(struct claim *c, const struct row *row)
{
    unsigned run = run_of(c, row);
    bool entered = false;

    for (size_t i = 0; run && i < c->trials; i++) {
        struct trial *t = &c->trial[i];

        if (strcmp(row_cell(row, ROW_ALGORITHM), t->algorithm) != 0)
            continue;
        t->run[run - 1].fpr = 100 * row_number(row, ROW_FPR);
        t->run[run - 1].fnr = 100 * row_number(row, ROW_FNR);
        average(t, c->runs);
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

/* What is not printed is met by anything. */
static bool meets(double measured, double printed)
{
    return isnan(printed) ||
           fabs(measured - printed) <= fmax(FEW, CLOSE * printed);
}

static bool shows(const struct trial *t, double fpr, double fnr)
{
    return meets(t->fpr, fpr) && meets(t->fnr, fnr);
}

static void judge(struct claim *c)
{
    c->verdict = CLAIM_FAILS;
    c->judged = c->trials - 1; /* the variant, if there is one */
    for (size_t i = 0; i < c->trials; i++)
        if (isnan(c->trial[i].fpr))
            c->verdict = CLAIM_OPEN;
    for (size_t i = 0; i < c->trials && c->verdict == CLAIM_FAILS; i++)
        if (shows(&c->trial[i], c->printed.fpr, c->printed.fnr)) {
            c->judged = i;
            c->verdict = i ? CLAIM_HOLDS_AS : CLAIM_HOLDS;
        }
}

/* Two filters on one stream in one memory of one table. */
static bool side_by_side(const struct claim *a, const struct claim *b)
{
    return strcmp(a->printed.source, b->printed.source) == 0 &&
           a->printed.table == b->printed.table &&
           strcmp(a->stream, b->stream) == 0 &&
           a->printed.memory == b->printed.memory;
}

/* Would both hold if their FPRs were exchanged?  So a table was misprinted. */
static void judge_exchanged(struct claim *a, struct claim *b)
{
    if (a->verdict != CLAIM_FAILS || b->verdict != CLAIM_FAILS ||
        !side_by_side(a, b) || isnan(a->printed.fnr) ||
        !shows(&a->trial[a->judged], b->printed.fpr, a->printed.fnr) ||
        !shows(&b->trial[b->judged], a->printed.fpr, b->printed.fnr))
        return;
    a->verdict = b->verdict = CLAIM_HOLDS_AS;
    a->swap = b->printed.algorithm;
    b->swap = a->printed.algorithm;
}

void claims_judge(struct claims *c)
{
    for (size_t i = 0; i < c->n; i++)
        judge(&c->claim[i]);
    for (size_t i = 0; i + 1 < c->n; i++)
        judge_exchanged(&c->claim[i], &c->claim[i + 1]);
}

const char *claim_verdict(char out[CLAIM_TEXT], const struct claim *c)
{
    static const char *const word[CLAIM_VERDICTS] = {"not measured", "holds",
                                                     "holds as",
                                                     "does not hold"};
    const char *label = c->trial[c->judged].label;
    int n = snprintf(out, CLAIM_TEXT, "%s", word[c->verdict]);

    if (c->verdict == CLAIM_HOLDS_AS)
        n += snprintf(out + n, CLAIM_TEXT - (size_t)n, "%s%s%s%s%s",
                      label ? " " : "", label ? label : "",
                      c->swap && label ? "," : "",
                      c->swap ? " misprinted: the FPR is that of " : "",
                      c->swap ? c->swap : "");
    if (c->verdict == CLAIM_FAILS && c->bound > c->printed.fpr)
        snprintf(out + n, CLAIM_TEXT - (size_t)n,
                 ": no filter without false passes gets below %.2g", c->bound);
    return out;
}

void claims_count(const struct claims *c, size_t count[CLAIM_VERDICTS])
{
    memset(count, 0, CLAIM_VERDICTS * sizeof *count);
    for (size_t i = 0; i < c->n; i++)
        count[c->claim[i].verdict]++;
}
