/*
 * claim_summary.c - summarises the claims of one paper
 */
#include "claim_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the source of the i-th paper; NULL after the last. */
static const char *source_of(const struct claims *c, size_t i)
{
    const char *last = NULL;

    for (size_t k = 0; k < c->n; k++) {
        const char *source = c->claim[k].printed.source;

        if (last && strcmp(source, last) == 0)
            continue;
        if (i-- == 0)
            return source;
        last = source;
    }
    return NULL;
}

static bool holds(const struct claim *c)
{
    return c->verdict == CLAIM_HOLDS || c->verdict == CLAIM_HOLDS_AS;
}

/* Appends the differences of the printed rates of a cell, in percent. */
static size_t add_off(const struct claim *c, double *off, size_t n)
{
    const struct trial *t = claim_judged(c);
    double fpr = 100 * fabs(claim_off(&t->fpr, c->printed.fpr));
    double fnr = 100 * fabs(claim_off(&t->fnr, c->printed.fnr));

    if (c->swap) /* its FPR belongs to another cell */
        fpr = (double)NAN;
    if (!isnan(fpr))
        off[n++] = fpr;
    if (!isnan(fnr))
        off[n++] = fnr;
    return n;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void count(const struct claim *c, struct paper_summary *out)
{
    out->cells++;
    out->count[c->verdict]++;
    if (c->verdict == CLAIM_FAILS)
        out->reason[claim_reason(c)]++;
}

int claims_paper(const struct claims *c, size_t i, struct paper_summary *out)
{
    double *off;

    *out = (struct paper_summary){.source = source_of(c, i)};
    if (!out->source)
        return 0;
    off = malloc(2 * c->n * sizeof *off);
    if (!off)
        return -1;
    for (size_t k = 0; k < c->n; k++) {
        /* Each published cell has a source.
           NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
        if (strcmp(c->claim[k].printed.source, out->source) != 0)
            continue;
        count(&c->claim[k], out);
        if (holds(&c->claim[k]))
            out->rates = add_off(&c->claim[k], off, out->rates);
    }
    if (out->rates) {
        qsort(off, out->rates, sizeof *off, by_size);
        out->median = off[out->rates / 2];
        out->ninth = off[out->rates * 9 / 10];
        out->worst = off[out->rates - 1];
    }
    free(off);
    return 1;
}
