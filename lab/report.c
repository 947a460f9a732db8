/*
 * report.c - results as a page to read
 */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "claim_verdict.h"
#include "freshet.h"
#include "reportcurves.h"
#include "size.h"

static const char *const css[] = {
#include "page_css.h"
};

static const char *const js[] = {
#include "page_js.h"
};

static void write_lines(FILE *to, const char *const *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s\n", line[i]);
}

/* ---- Tables ----------------------------------------------------------- */

static void begin_table(FILE *to, const char *const *title, size_t n,
                        size_t numbers)
{
    fputs("<div class=\"wide\"><table><thead><tr>", to);
    for (size_t i = 0; i < n; i++)
        fprintf(to,
                "<th scope=\"col\"%s><button type=\"button\">%s</button></th>",
                numbers >> i & 1 ? " class=\"number\"" : "", title[i]);
    fputs("</tr></thead><tbody>\n", to);
}

static void end_table(FILE *to)
{
    fputs("</tbody></table></div>\n", to);
}

static void text_cell(FILE *to, const char *text)
{
    fputs("<td>", to);
    chart_text(to, text);
    fputs("</td>", to);
}

static void number_cell(FILE *to, double value)
{
    if (isnan(value)) {
        fputs("<td class=\"number\"></td>", to);
        return;
    }
    fprintf(to, "<td class=\"number\" data-value=\"%.9g\">%.4g</td>", value,
            value);
}

static void difference_cell(FILE *to, double value)
{
    if (isnan(value))
        number_cell(to, value);
    else
        fprintf(to, "<td class=\"number\" data-value=\"%.9g\">%+.2f</td>",
                value, value);
}

static void size_cell(FILE *to, double bytes)
{
    char text[SIZE_TEXT];

    fprintf(to, "<td class=\"number\" data-value=\"%.0f\">%s</td>", bytes,
            size_text(text, (uint64_t)bytes));
}

/* ---- What holds ------------------------------------------------------- */

static const char *const class_of[CLAIM_VERDICTS] = {"", "holds", "variant",
                                                     "open", "fails"};

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

static void write_trial(FILE *to, const struct claim *c, size_t i)
{
    const struct published *p = &c->printed;
    const struct trial *t = &c->trial[i];
    bool judged = i == c->judged;
    char text[CLAIM_TEXT];

    fputs("<tr>", to);
    text_cell(to, published_name(text, p));
    number_cell(to, (double)p->records);
    number_cell(to, p->distinct);
    size_cell(to, (double)p->memory);
    text_cell(to, t->algorithm);
    fprintf(to, "<td class=\"%s\">", judged ? class_of[c->verdict] : "");
    chart_text(to, judged ? claim_verdict(text, c) : "");
    fputs("</td>", to);
    number_cell(to, p->fpr);
    number_cell(to, p->fnr);
    number_cell(to, t->fpr.mean);
    number_cell(to, t->fnr.mean);
    difference_cell(to, 100 * claim_off(&t->fpr, p->fpr));
    difference_cell(to, 100 * claim_off(&t->fnr, p->fnr));
    fputs("</tr>\n", to);
}

static void write_claims(FILE *to, const struct claims *c)
{
    static const char *const title[] = {"table",           "records",
                                        "distinct %",      "memory",
                                        "filter",          "verdict",
                                        "published FPR %", "published FNR %",
                                        "measured FPR %",  "measured FNR %",
                                        "off FPR %",       "off FNR %"};

    begin_table(to, title, sizeof title / sizeof *title, 0xfce);
    for (size_t i = 0; i < c->n; i++)
        for (size_t t = 0; t < c->claim[i].trials; t++)
            if (c->claim[i].verdict != CLAIM_OPEN)
                write_trial(to, &c->claim[i], t);
    end_table(to);
}

static bool write_reproduction(FILE *to, const struct results *files, size_t n,
                               bool full)
{
    struct claims c;
    struct fault why;
    bool any = false, good = claims_make(&c, NULL, 0, full, &why);

    for (size_t i = 0; good && i < n; i++)
        for (size_t r = 0; r < files[i].rows; r++)
            any |= claims_enter(&c, &files[i].row[r]);
    if (any) {
        claims_judge(&c);
        fprintf(to, "<section id=\"%s\"><h2>Published tables, %s</h2>\n",
                full ? "full" : "quick",
                full ? "at their printed sizes" : "at up to 1/100");
        write_counts(to, &c);
        fputs("<p>A cell holds if FPR and FNR are met within 1 % of the "
              "printed figure, or within three standard deviations.</p>\n",
              to);
        good = report_agreement(to, &c);
        write_claims(to, &c);
        fputs("</section>\n", to);
    }
    claims_free(&c);
    return good;
}

/* ---- All that was measured -------------------------------------------- */

static void write_row(FILE *to, const struct row *row)
{
    fputs("<tr>", to);
    text_cell(to, row_cell(row, ROW_EXPERIMENT));
    text_cell(to, row_cell(row, ROW_STREAM));
    text_cell(to, row_cell(row, ROW_ALGORITHM));
    text_cell(to, row_cell(row, ROW_CHOSEN));
    size_cell(to, row_number(row, ROW_MEMORY));
    number_cell(to, row_number(row, ROW_SEED));
    for (enum row_column c = ROW_FPR; c < ROW_WIDTH; c++)
        if (c == ROW_FPR || c == ROW_FNR || c == ROW_STEADY_FPR ||
            c == ROW_STEADY_FNR || c == ROW_THEORY_FPR || c == ROW_THEORY_FNR ||
            c == ROW_PUBLISHED_FPR || c == ROW_PUBLISHED_FNR)
            number_cell(to, 100 * row_number(row, c));
    number_cell(to, row_number(row, ROW_BITS));
    number_cell(to, row_number(row, ROW_FLOOR));
    fputs("</tr>\n", to);
}

static void write_rows(FILE *to, const struct results *files, size_t n)
{
    static const char *const title[] = {"experiment",   "stream",
                                        "algorithm",    "chosen",
                                        "memory",       "seed",
                                        "FPR %",        "FNR %",
                                        "steady FPR %", "steady FNR %",
                                        "theory FPR %", "theory FNR %",
                                        "paper FPR %",  "paper FNR %",
                                        "bits per key", "floor"};

    fputs("<section id=\"all\"><h2>All measurements</h2>\n<p>Theory is what "
          "freshet predicts, paper what the paper's own formula says where "
          "it is another. The floor is the fewest bits a key that any filter "
          "with these rates can have.</p>\n",
          to);
    begin_table(to, title, sizeof title / sizeof *title, 0xfff0);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < files[i].rows; r++)
            if (row_is_whole(&files[i].row[r]))
                write_row(to, &files[i].row[r]);
    end_table(to);
    fputs("</section>\n", to);
}

/* ---- The page --------------------------------------------------------- */

static void write_head(FILE *to, const struct results *files, size_t n)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n"
          "<title>freshet lab: results</title>\n<style>\n",
          to);
    write_lines(to, css, sizeof css / sizeof *css);
    fputs("</style>\n</head>\n<body>\n<h1>freshet lab: results</h1>\n<p>FPR is "
          "the share of new records that were called repeats, FNR the share of "
          "repeats that were called new. A click on a title sorts.</p>\n"
          "<p class=\"faint\">From ",
          to);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", to);
        chart_text(to, files[i].path);
    }
    fprintf(to, ", by freshet %s.</p>\n", freshet_version());
}

bool report_write(FILE *to, const struct results *files, size_t n)
{
    bool good;

    write_head(to, files, n);
    good = write_reproduction(to, files, n, true) &&
           write_reproduction(to, files, n, false) &&
           report_curves(to, files, n);
    write_rows(to, files, n);
    fputs("<script>\n", to);
    write_lines(to, js, sizeof js / sizeof *js);
    fputs("</script>\n</body>\n</html>\n", to);
    return good;
}
