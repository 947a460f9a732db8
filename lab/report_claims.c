/*
 * report_claims.c - writes the comparison with published tables
 */
#include "report_claims.h"

#include <math.h>
#include <string.h>

#include "chart.h"
#include "claim_summary.h"
#include "page_table.h"
#include "report_curves.h"
#include "size.h"

static const char *const class_of[CLAIM_VERDICTS] = {"", "holds", "variant",
                                                     "open", "fails"};

/* ---- The summary ------------------------------------------------------ */

static const char *title_of(const char *source)
{
    static const char *const titles[][2] = {
        {"bera", "Bera et al. 2012: BSBF, BSBFSD, RLBSBF"},
        {"dutta", "Dutta et al. 2012: RSBF"},
        {"che", "Che et al. 2020: ISQF"},
    };

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(titles[i][0], source) == 0)
            return titles[i][1];
    return source;
}

/* Writes a percentage with two digits. */
static void write_within(FILE *to, const struct paper_summary *s, double x)
{
    double unit = pow(10, floor(log10(x)) - 1);

    if (!s->rates)
        x = (double)NAN;
    else if (x > 0)
        x = round(x / unit) * unit;
    page_number_cell(to, x);
}

static void write_paper(FILE *to, const struct paper_summary *s)
{
    fputs("<tr>", to);
    page_text_cell(to, title_of(s->source));
    page_number_cell(to, (double)s->cells);
    page_number_cell(to, (double)(s->count[CLAIM_HOLDS] +
                                  s->count[CLAIM_HOLDS_AS]));
    page_number_cell(to, (double)s->count[CLAIM_HOLDS_AS]);
    page_number_cell(to, (double)s->count[CLAIM_UNDECIDED]);
    page_number_cell(to, (double)s->count[CLAIM_FAILS]);
    write_within(to, s, s->median);
    write_within(to, s, s->ninth);
    write_within(to, s, s->worst);
    fputs("</tr>\n", to);
}

static bool write_papers(FILE *to, const struct claims *c)
{
    static const char *const title[] = {"paper",         "cells",
                                        "hold",          "as a variant",
                                        "undecided",     "do not hold",
                                        "half within %", "nine in ten %",
                                        "all within %"};
    struct paper_summary s;
    int got;

    page_begin_table(to, title, sizeof title / sizeof *title, 0x1fe);
    for (size_t i = 0; (got = claims_paper(c, i, &s)) > 0; i++)
        if (s.count[CLAIM_OPEN] < s.cells)
            write_paper(to, &s);
    page_end_table(to);
    return got == 0;
}

static void write_exception(FILE *to, const struct claim *c)
{
    const struct trial *t = claim_judged(c);
    char name[PUBLISHED_NAME], filter[PUBLISHED_FILTER];
    char memory[SIZE_TEXT], verdict[CLAIM_TEXT];

    fprintf(to, "<li class=\"%s\">%s, %s, %s: printed %g", class_of[c->verdict],
            published_name(name, &c->printed),
            published_filter(filter, &c->printed),
            size_text(memory, c->printed.memory), c->printed.fpr);
    if (!isnan(c->printed.fnr))
        fprintf(to, " / %g", c->printed.fnr);
    fprintf(to, " %%, measured %.4g / %.4g %%: ", t->fpr.mean, t->fnr.mean);
    chart_text(to, claim_verdict(verdict, c));
    fputs("</li>\n", to);
}

/* Cells below the bound of all filters are counted, the others listed. */
static void write_exceptions(FILE *to, const struct claims *c)
{
    size_t below = 0;

    fputs("<h3>What does not hold, and why</h3>\n<ul class=\"exceptions\">\n",
          to);
    for (size_t i = 0; i < c->n; i++) {
        const struct claim *claim = &c->claim[i];

        if (claim->verdict != CLAIM_FAILS && claim->verdict != CLAIM_UNDECIDED)
            continue;
        if (claim_reason(claim) == REASON_LEAST)
            below++;
        else
            write_exception(to, claim);
    }
    if (below)
        fprintf(to,
                "<li class=\"fails\">%zu cells of sqf and isqf print less than "
                "any filter without false passes can have in that "
                "memory</li>\n",
                below);
    fputs("</ul>\n", to);
}

static void write_counts(FILE *to, const struct claims *c)
{
    static const char *const words[CLAIM_VERDICTS] = {"not measured", "hold",
                                                      "hold as a variant",
                                                      "undecided",
                                                      "do not hold"};
    size_t n[CLAIM_VERDICTS];

    claims_count(c, n);
    fputs("<ul class=\"counts\">", to);
    for (size_t i = CLAIM_HOLDS; i < CLAIM_VERDICTS; i++)
        fprintf(to, "<li class=\"%s\"><b>%zu</b> %s</li>", class_of[i], n[i],
                words[i]);
    if (n[CLAIM_OPEN])
        fprintf(to, "<li><b>%zu</b> %s</li>", n[CLAIM_OPEN], words[CLAIM_OPEN]);
    fputs("</ul>\n", to);
}

/* ---- Every cell ------------------------------------------------------- */

static void write_trial(FILE *to, const struct claim *c, size_t i)
{
    const struct published *p = &c->printed;
    const struct trial *t = &c->trial[i];
    bool judged = i == c->judged;
    char text[CLAIM_TEXT];

    fputs("<tr>", to);
    page_text_cell(to, published_name(text, p));
    page_number_cell(to, (double)p->records);
    page_number_cell(to, p->distinct);
    page_size_cell(to, (double)p->memory);
    page_text_cell(to, t->algorithm);
    page_text_cell(to, t->beside ? "uniform" : "shuffled");
    fprintf(to, "<td class=\"%s\">", judged ? class_of[c->verdict] : "");
    chart_text(to, judged ? claim_verdict(text, c) : "");
    fputs("</td>", to);
    page_number_cell(to, p->fpr);
    page_number_cell(to, p->fnr);
    page_number_cell(to, t->fpr.mean);
    page_number_cell(to, t->runs > 1 ? t->fpr.deviation : (double)NAN);
    page_number_cell(to, t->fnr.mean);
    page_number_cell(to, t->runs > 1 ? t->fnr.deviation : (double)NAN);
    page_off_cell(to, 100 * claim_off(&t->fpr, p->fpr));
    page_off_cell(to, 100 * claim_off(&t->fnr, p->fnr));
    fputs("</tr>\n", to);
}

static void write_cells(FILE *to, const struct claims *c)
{
    static const char *const title[] = {"table",
                                        "records",
                                        "distinct %",
                                        "memory",
                                        "filter",
                                        "stream",
                                        "verdict",
                                        "published FPR %",
                                        "published FNR %",
                                        "measured FPR %",
                                        "+-",
                                        "measured FNR %",
                                        "+-",
                                        "off FPR %",
                                        "off FNR %"};

    page_begin_table(to, title, sizeof title / sizeof *title, 0x7f8e);
    for (size_t i = 0; i < c->n; i++)
        for (size_t t = 0; t < c->claim[i].trials; t++)
            if (c->claim[i].verdict != CLAIM_OPEN)
                write_trial(to, &c->claim[i], t);
    page_end_table(to);
}

/* ---- The sections ----------------------------------------------------- */

static bool write_summary(FILE *to, const struct claims *c)
{
    bool good;

    fputs("<section id=\"summary\"><h2>Do the published tables hold?</h2>\n",
          to);
    write_counts(to, c);
    fputs("<p>A cell holds if its FPR and FNR are met within 1 % of the "
          "printed "
          "figure, or within three standard deviations. A variant is the "
          "algorithm as it was measured, where that differs from what is "
          "described. The columns with % say how far the rates of the cells "
          "that hold are from print.</p>\n",
          to);
    good = write_papers(to, c);
    write_exceptions(to, c);
    good = good && report_agreement(to, c);
    fputs("</section>\n", to);
    return good;
}

/* Writes the claims of one size; the first with any results gets the
   summary. */
static bool write_size(FILE *to, const struct results *files, size_t n,
                       bool full, bool *summed)
{
    struct claims c;
    struct fault why;
    bool any = false, good = claims_make(&c, NULL, 0, full, &why);

    for (size_t i = 0; good && i < n; i++)
        for (size_t r = 0; r < files[i].rows; r++)
            any |= claims_enter(&c, &files[i].row[r]);
    if (any) {
        claims_judge(&c);
        if (!*summed)
            good = write_summary(to, &c);
        *summed = true;
        fprintf(to, "<section id=\"%s\"><h2>Every cell, %s</h2>\n",
                full ? "full" : "quick",
                full ? "at its printed size" : "at 1/1000 to 1/20 of its size");
        if (full)
            write_counts(to, &c);
        write_cells(to, &c);
        fputs("</section>\n", to);
    }
    claims_free(&c);
    return good;
}

bool report_claims(FILE *to, const struct results *files, size_t n)
{
    bool summed = false;

    return write_size(to, files, n, false, &summed) &&
           write_size(to, files, n, true, &summed);
}
