/*
 * claim_verdict.c - decides whether a claim holds
 */
#include "claim_verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE 0.01 /* of the printed rate */
#define VAGUE 0.05 /* of the printed rate: a larger 3 s decides nothing */

/* ---- One rate --------------------------------------------------------- */

enum met { MISSED, VAGUELY, MET };

/* A printed rate, and its number of records. */
struct print {
    double rate, half; /* percent; half a unit of the last digit */
    double records;    /* new ones or repeats, at the printed size */
};

static struct print printed_fpr(const struct published *p)
{
    return (struct print){p->fpr, p->fpr_half,
                          (double)p->records * p->distinct / 100};
}

static struct print printed_fnr(const struct published *p)
{
    return (struct print){p->fnr, p->fnr_half,
                          (double)p->records * (1 - p->distinct / 100)};
}

/* Returns the variance of a counted rate in percent, at least binomial. */
static double variance(double rate, double records, double deviation)
{
    double share = fmin(fmax(rate, 0), 100);

    return fmax(share * (100 - share) / records, deviation * deviation);
}

static double three_s(const struct claim *c, const struct trial *t,
                      const struct trial_rate *r, const struct print *p)
{
    double scale = c->scale, ours = r->deviation;
    double one = variance(p->rate, p->records, ours / sqrt(scale));
    double mean = variance(r->mean, p->records / scale, ours) / t->runs;

    return 3 * sqrt(one + mean);
}

/* A rate that is not printed is always met. */
static enum met meets(const struct claim *c, const struct trial *t,
                      const struct trial_rate *r, const struct print *p)
{
    double off = fabs(r->mean - p->rate), s = three_s(c, t, r, p);

    if (isnan(p->rate))
        return MET;
    if (off > CLOSE * p->rate && off > s + p->half)
        return MISSED;
    return s > VAGUE * p->rate ? VAGUELY : MET;
}

/* Returns the worse result of both rates, with this FPR instead of the printed
   one. */
static enum met shows(const struct claim *c, const struct trial *t,
                      struct print fpr)
{
    struct print fnr = printed_fnr(&c->printed);
    enum met a = meets(c, t, &t->fpr, &fpr), b = meets(c, t, &t->fnr, &fnr);

    return a < b ? a : b;
}

/* ---- One claim -------------------------------------------------------- */

static bool is_measured(const struct claim *c)
{
    for (size_t i = 0; i < c->trials; i++)
        if (isnan(c->trial[i].fpr.mean) || isnan(c->trial[i].fnr.mean))
            return false;
    return true;
}

static size_t last_judged(const struct claim *c)
{
    size_t i = c->trials;

    while (i > 1 && c->trial[i - 1].beside)
        i--;
    return i - 1;
}

/* Chooses the first trial that meets the printed rates, else the variant. */
static void judge(struct claim *c)
{
    struct print fpr = printed_fpr(&c->printed);

    c->verdict = is_measured(c) ? CLAIM_FAILS : CLAIM_OPEN;
    c->judged = last_judged(c);
    c->swap = NULL;
    c->misprint = (double)NAN;
    for (size_t i = 0; i < c->trials && c->verdict == CLAIM_FAILS; i++) {
        enum met met =
            c->trial[i].beside ? MISSED : shows(c, &c->trial[i], fpr);

        if (met == MISSED)
            continue;
        c->judged = i;
        c->verdict = met == VAGUELY      ? CLAIM_UNDECIDED
                     : c->trial[i].label ? CLAIM_HOLDS_AS
                                         : CLAIM_HOLDS;
    }
}

static void try_misprint(struct claim *c, struct print fpr, enum met least)
{
    if (fpr.rate > 0 && fpr.rate < 100 &&
        shows(c, claim_judged(c), fpr) >= least)
        c->misprint = fpr.rate;
}

/*
 * Checks whether the claim would hold with one digit of its FPR changed, or
 * with the decimal point moved by one place, if its FNR holds.
 */
static void judge_misprint(struct claim *c)
{
    struct print fpr = printed_fpr(&c->printed), other = fpr;

    if (c->verdict != CLAIM_FAILS || isnan(c->printed.fnr))
        return;
    for (double unit = 2 * fpr.half; unit <= fpr.rate; unit *= 10) {
        double digit = fmod(floor(fpr.rate / unit + 1e-6), 10);

        for (int i = 0; i < 10; i++) {
            other.rate = fpr.rate + (i - digit) * unit;
            if (i != (int)digit)
                try_misprint(c, other, MET);
        }
    }
    for (double factor = 0.1; factor < 11; factor *= 100)
        try_misprint(c,
                     (struct print){fpr.rate * factor, fpr.half * factor,
                                    fpr.records},
                     VAGUELY);
}

/* Returns whether two filters have the same stream, memory and table. */
static bool side_by_side(const struct claim *a, const struct claim *b)
{
    return strcmp(a->printed.source, b->printed.source) == 0 &&
           a->printed.table == b->printed.table &&
           a->printed.records == b->printed.records &&
           a->printed.distinct == b->printed.distinct &&
           a->printed.memory == b->printed.memory;
}

/* Checks whether both would hold if their FPRs were exchanged: then the table
   has a misprint. */
static void judge_exchanged(struct claim *a, struct claim *b)
{
    if (a->verdict != CLAIM_FAILS || b->verdict != CLAIM_FAILS ||
        !side_by_side(a, b) || isnan(a->printed.fnr) ||
        shows(a, claim_judged(a), printed_fpr(&b->printed)) != MET ||
        shows(b, claim_judged(b), printed_fpr(&a->printed)) != MET)
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
    for (size_t i = 0; i < c->n; i++)
        judge_misprint(&c->claim[i]);
}

/* ---- Reasons ---------------------------------------------------------- */

enum claim_reason claim_reason(const struct claim *c)
{
    const struct published *p = &c->printed;

    if (c->least > p->fpr)
        return REASON_LEAST;
    if (c->most < p->fpr - p->fpr_half)
        return REASON_MOST;
    return isnan(c->misprint) ? REASON_NONE : REASON_MISPRINT;
}

/* ---- In words --------------------------------------------------------- */

const struct trial *claim_judged(const struct claim *c)
{
    return &c->trial[c->judged];
}

double claim_off(const struct trial_rate *rate, double printed)
{
    return (rate->mean - printed) / printed;
}

/* Writes why the claim does not hold, if that is known. */
static void format_reason(char *out, size_t size, const struct claim *c)
{
    enum claim_reason reason = claim_reason(c);

    if (reason == REASON_LEAST)
        snprintf(out, size, ": no filter without false passes gets below %.2g",
                 c->least);
    else if (reason == REASON_MOST)
        snprintf(out, size, ": a Bloom filter that never deletes has only %.3g",
                 c->most);
    else if (reason == REASON_MISPRINT)
        snprintf(out, size, ": a misprint for FPR %.5g would explain it",
                 c->misprint);
}

static void format_variant(char *out, size_t size, const struct claim *c)
{
    const char *label = claim_judged(c)->label;

    snprintf(out, size, "%s%s%s%s%s", label ? " " : "", label ? label : "",
             c->swap && label ? "," : "",
             c->swap ? " misprinted: the FPR is that of " : "",
             c->swap ? c->swap : "");
}

const char *claim_verdict(char out[CLAIM_TEXT], const struct claim *c)
{
    static const char *const word[CLAIM_VERDICTS] = {"not measured", "holds",
                                                     "holds as", "undecided",
                                                     "does not hold"};
    size_t n = (size_t)snprintf(out, CLAIM_TEXT, "%s", word[c->verdict]);

    if (c->verdict == CLAIM_HOLDS_AS)
        format_variant(out + n, CLAIM_TEXT - n, c);
    if (c->verdict == CLAIM_FAILS)
        format_reason(out + n, CLAIM_TEXT - n, c);
    return out;
}

void claims_count(const struct claims *c, size_t count[CLAIM_VERDICTS])
{
    memset(count, 0, CLAIM_VERDICTS * sizeof *count);
    for (size_t i = 0; i < c->n; i++)
        count[c->claim[i].verdict]++;
}
