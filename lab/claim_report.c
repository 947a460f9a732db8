/*
 * claim_report.c - claims for people and for programs
 */
#include "claim_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_writer.h"
#include "size.h"

enum { LABEL = 18 };

size_t verdicts_end(const struct claims *c, size_t i)
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

/* Of what is not printed there is no difference. */
static void print_difference(double measured, double printed)
{
    if (isnan(measured - printed))
        printf(" %7s", "-");
    else
        printf(" %+7.2f", measured - printed);
}

/* The titles, where the stream is another than above. */
static void print_stream(const struct claim *c, const struct claim *above)
{
    const struct published *p = &c->printed;
    char name[PUBLISHED_NAME];

    if (above && above->printed.records == p->records &&
        above->printed.distinct == p->distinct && above->scale == c->scale)
        return;
    printf("\n%s: %g records, %g %% distinct", published_name(name, p),
           (double)p->records, p->distinct);
    if (c->scale > 1)
        printf(", tried at 1/%u", c->scale);
    if (c->runs > 1)
        printf(", mean of %u runs", c->runs);
    printf("\n%6s %-*s %17s  %17s  %15s\n", "", LABEL, "", "published %",
           "measured %", "difference");
    printf("%6s %-*s %8s %8s  %8s %8s  %7s %7s  %s\n", "memory", LABEL,
           "algorithm", "FPR", "FNR", "FPR", "FNR", "FPR", "FNR", "verdict");
}

static void print_trial(const struct claim *c, size_t i)
{
    const struct published *p = &c->printed;
    const struct trial *t = &c->trial[i];
    char label[32], verdict[CLAIM_TEXT], memory[SIZE_TEXT];

    if (t->label)
        snprintf(label, sizeof label, "  %s", t->label);
    else if (strcmp(p->algorithm, "sqf") == 0)
        snprintf(label, sizeof label, "sqf");
    else
        snprintf(label, sizeof label, "%s %c=%u", p->algorithm,
                 strcmp(p->algorithm, "isqf") == 0 ? 'm' : 'k', p->k);
    printf("%6s %-*s", i ? "" : size_text(memory, p->memory), LABEL, label);
    print_rate(i ? (double)NAN : p->fpr);
    print_rate(i ? (double)NAN : p->fnr);
    putchar(' ');
    print_rate(t->fpr);
    print_rate(t->fnr);
    putchar(' ');
    print_difference(t->fpr, p->fpr);
    print_difference(t->fnr, p->fnr);
    printf("  %s\n", i == c->judged ? claim_verdict(verdict, c) : "-");
}

void verdicts_table(const struct claims *c, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        print_stream(&c->claim[i], i > first ? &c->claim[i - 1] : NULL);
        for (size_t t = 0; t < c->claim[i].trials; t++)
            print_trial(&c->claim[i], t);
    }
}

void verdicts_summary(const struct claims *c)
{
    size_t n[CLAIM_VERDICTS];

    claims_count(c, n);
    printf("\n%zu cells: %zu hold, %zu hold as a variant, %zu do not hold\n",
           c->n, n[CLAIM_HOLDS], n[CLAIM_HOLDS_AS], n[CLAIM_FAILS]);
}

/* ---- For programs ----------------------------------------------------- */

static void json_trials(struct json *j, const struct claim *c)
{
    json_begin(j, "measured", '[');
    for (size_t i = 0; i < c->trials; i++) {
        const struct trial *t = &c->trial[i];

        json_begin(j, NULL, '{');
        json_text(j, "algorithm", t->algorithm);
        json_real(j, "fpr_pct", t->fpr);
        json_real(j, "fnr_pct", t->fnr);
        json_end(j, '}');
    }
    json_end(j, ']');
}

void verdicts_json(const struct claims *c)
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
        json_count(&j, "runs", claim->runs);
        json_real(&j, "published_fpr_pct", p->fpr);
        json_real(&j, "published_fnr_pct", p->fnr);
        json_trials(&j, claim);
        json_real(&j, "bound_fpr_pct", claim->bound);
        json_text(&j, "verdict", claim_verdict(text, claim));
        json_end(&j, '}');
        putchar('\n');
    }
}
