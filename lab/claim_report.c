/*
 * claim_report.c - prints claims as text and JSON
 */
#include "claim_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "claim_summary.h"
#include "json_writer.h"
#include "size.h"

enum { LABEL = 18 };

size_t claim_report_end(const struct claims *c, size_t i)
{
    const struct published *p = &c->claim[i].printed, *other;

    for (i++; i < c->n; i++) {
        other = &c->claim[i].printed;
        if (strcmp(p->source, other->source) != 0 || p->table != other->table)
            break;
    }
    return i;
}

/* ---- For people ------------------------------------------------------- */

static void print_rate(double rate)
{
    if (isnan(rate))
        printf(" %8s", "-");
    else
        printf(" %8.4g", rate);
}

/* Prints the mean, and the deviation of one run if there are several. */
static void print_measured(const struct trial_rate *r, unsigned runs)
{
    print_rate(r->mean);
    if (runs > 1 && !isnan(r->deviation))
        printf(" %7.2g", r->deviation);
    else
        printf(" %7s", "-");
}

/* A rate that is not printed has no difference. */
static void print_off(const struct trial_rate *r, double printed)
{
    double off = 100 * claim_off(r, printed);

    if (isnan(off))
        printf(" %7s", "-");
    else if (off < 1000)
        printf(" %+7.2f", off);
    else
        printf(" %7s", ">1000");
}

/* Prints the titles if the stream differs from the one above. */
static void print_stream(const struct claim *c, const struct claim *above)
{
    const struct published *p = &c->printed;
    char name[PUBLISHED_NAME];

    if (above && above->printed.records == p->records &&
        above->printed.distinct == p->distinct)
        return;
    printf("\n%s: %g records, %g %% distinct", published_name(name, p),
           (double)p->records, p->distinct);
    printf("\n%13s %-*s %17s  %33s  %15s\n", "", LABEL, "", "published %",
           "measured %, deviation of a run", "off by % of it");
    printf("%6s %6s %-*s %8s %8s  %8s %7s %8s %7s  %7s %7s  %s\n", "memory",
           "size", LABEL, "algorithm", "FPR", "FNR", "FPR", "+-", "FNR", "+-",
           "FPR", "FNR", "verdict");
}

static const char *label_of(char out[PUBLISHED_FILTER], const struct claim *c,
                            size_t i)
{
    const char *label = i ? c->trial[i].label : NULL;

    if (!label)
        return published_filter(out, &c->printed);
    snprintf(out, PUBLISHED_FILTER, "  %s", label);
    return out;
}

static void print_trial(const struct claim *c, size_t i)
{
    const struct published *p = &c->printed;
    const struct trial *t = &c->trial[i];
    char label[PUBLISHED_FILTER], verdict[CLAIM_TEXT], memory[SIZE_TEXT],
        size[16];

    snprintf(size, sizeof size, "1/%u", c->scale);
    printf("%6s %6s %-*s", i ? "" : size_text(memory, p->memory), i ? "" : size,
           LABEL, label_of(label, c, i));
    print_rate(i ? (double)NAN : p->fpr);
    print_rate(i ? (double)NAN : p->fnr);
    putchar(' ');
    print_measured(&t->fpr, t->runs);
    print_measured(&t->fnr, t->runs);
    putchar(' ');
    print_off(&t->fpr, p->fpr);
    print_off(&t->fnr, p->fnr);
    printf("  %s\n", i == c->judged ? claim_verdict(verdict, c) : "-");
}

void claim_report_table(const struct claims *c, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        print_stream(&c->claim[i], i > first ? &c->claim[i - 1] : NULL);
        for (size_t t = 0; t < c->claim[i].trials; t++)
            print_trial(&c->claim[i], t);
    }
}

/* Prints "bera: 165 cells: ...". */
static void print_paper(const struct paper_summary *s)
{
    printf("%s: %zu cells: %zu hold, %zu of them as a variant; %zu undecided, "
           "%zu do not hold\n",
           s->source, s->cells,
           s->count[CLAIM_HOLDS] + s->count[CLAIM_HOLDS_AS],
           s->count[CLAIM_HOLDS_AS], s->count[CLAIM_UNDECIDED],
           s->count[CLAIM_FAILS]);
    if (s->rates)
        printf("    the %zu rates of those that hold are within %.2g %% of "
               "print, nine in ten within %.2g %%, half within %.2g %%\n",
               s->rates, s->worst, s->ninth, s->median);
    if (s->reason[REASON_LEAST])
        printf("    %zu print less than any filter without false passes can "
               "have\n",
               s->reason[REASON_LEAST]);
}

/* An FNR that is not printed is left out. */
static void print_exception(const struct claim *c)
{
    const struct published *p = &c->printed;
    const struct trial *t = claim_judged(c);
    char name[PUBLISHED_NAME], memory[SIZE_TEXT], label[PUBLISHED_FILTER],
        verdict[CLAIM_TEXT];

    printf("    %s %s %s: printed %g", published_name(name, p),
           size_text(memory, p->memory), label_of(label, c, 0), p->fpr);
    if (!isnan(p->fnr))
        printf(" / %g", p->fnr);
    printf(", measured %.4g / %.4g: %s\n", t->fpr.mean, t->fnr.mean,
           claim_verdict(verdict, c));
}

/* Claims below the bound of all filters are only counted. */
static void print_exceptions(const struct claims *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct claim *claim = &c->claim[i];

        if ((claim->verdict == CLAIM_FAILS ||
             claim->verdict == CLAIM_UNDECIDED) &&
            claim_reason(claim) != REASON_LEAST)
            print_exception(claim);
    }
}

void claim_report_summary(const struct claims *c)
{
    struct paper_summary s;
    size_t n[CLAIM_VERDICTS];

    claims_count(c, n);
    printf("\nSummary\n");
    for (size_t i = 0; claims_paper(c, i, &s) > 0; i++)
        print_paper(&s);
    print_exceptions(c);
    printf("\n%zu cells: %zu hold, %zu hold as a variant, %zu undecided, %zu "
           "do not hold\n",
           c->n, n[CLAIM_HOLDS], n[CLAIM_HOLDS_AS], n[CLAIM_UNDECIDED],
           n[CLAIM_FAILS]);
}

/* ---- For programs ----------------------------------------------------- */

static void json_trials(struct json *j, const struct claim *c)
{
    json_begin(j, "measured", '[');
    for (size_t i = 0; i < c->trials; i++) {
        const struct trial *t = &c->trial[i];

        json_begin(j, NULL, '{');
        json_text(j, "algorithm", t->algorithm);
        json_text(j, "stream", t->stream);
        json_count(j, "runs", t->runs);
        json_real(j, "fpr_pct", t->fpr.mean);
        json_real(j, "fpr_deviation", t->fpr.deviation);
        json_real(j, "fnr_pct", t->fnr.mean);
        json_real(j, "fnr_deviation", t->fnr.deviation);
        json_end(j, '}');
    }
    json_end(j, ']');
}

void claim_report_json(const struct claims *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct claim *claim = &c->claim[i];
        const struct published *p = &claim->printed;
        char text[CLAIM_TEXT];
        struct json j = {0};

        json_begin(&j, NULL, '{');
        json_text(&j, "table", published_name(text, p));
        json_text(&j, "algorithm", p->algorithm);
        json_count(&j, "records", p->records);
        json_real(&j, "distinct_pct", p->distinct);
        json_count(&j, "memory", p->memory);
        json_count(&j, "scale", claim->scale);
        json_real(&j, "published_fpr_pct", p->fpr);
        json_real(&j, "published_fnr_pct", p->fnr);
        json_trials(&j, claim);
        json_real(&j, "least_fpr_pct", claim->least);
        json_real(&j, "most_fpr_pct", claim->most);
        json_text(&j, "verdict", claim_verdict(text, claim));
        json_end(&j, '}');
        putchar('\n');
    }
}
