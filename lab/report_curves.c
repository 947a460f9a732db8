/*
 * report_curves.c - writes the figures of a report
 */
#include "report_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "chart.h"
#include "size.h"

/* The series of one figure. */
struct figure {
    struct series *s;
    size_t n;
};

static void free_figure(struct figure *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->s[i].x);
        free(f->s[i].y);
    }
    free(f->s);
    *f = (struct figure){0};
}

static struct series *named(struct figure *f, const char *name)
{
    struct series *s;

    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->s[i].name, name) == 0)
            return &f->s[i];
    s = array_add(f->s, f->n, sizeof *s);
    if (!s)
        return NULL;
    f->s = s;
    s[f->n] = (struct series){0};
    snprintf(s[f->n].name, sizeof s->name, "%s", name);
    return &s[f->n++];
}

static bool add_point(struct figure *f, const char *name, double x, double y)
{
    struct series *s = named(f, name);
    double *grown;

    if (!s)
        return false;
    grown = array_add(s->x, s->n, sizeof *s->x);
    if (!grown)
        return false;
    s->x = grown;
    grown = array_add(s->y, s->n, sizeof *s->y);
    if (!grown)
        return false;
    s->y = grown;
    s->x[s->n] = x;
    s->y[s->n++] = y;
    return true;
}

/* ---- Measured over published ------------------------------------------ */

static bool agreement(FILE *to, const struct claims *c, bool fnr)
{
    struct chart chart = {
        .title = fnr ? "FNR, measured over published: what holds lies on the "
                       "line"
                     : "FPR, measured over published: what holds lies on the "
                       "line",
        .x = "published, percent",
        .y = "measured, percent",
        .logarithmic = true,
        .points = true,
        .diagonal = true,
    };
    struct figure f = {0};
    bool good = true;

    for (size_t i = 0; i < c->n && good; i++) {
        const struct claim *claim = &c->claim[i];
        const struct trial *t = &claim->trial[claim->judged];

        if (claim->verdict != CLAIM_OPEN)
            good = add_point(&f, claim->printed.algorithm,
                             fnr ? claim->printed.fnr : claim->printed.fpr,
                             fnr ? t->fnr.mean : t->fpr.mean);
    }
    if (good)
        chart_write(to, &chart, f.s, f.n);
    free_figure(&f);
    return good;
}

bool report_agreement(FILE *to, const struct claims *c)
{
    bool good;

    fputs("<div class=\"figures\">\n", to);
    good = agreement(to, c, false) && agreement(to, c, true);
    fputs("</div>\n", to);
    return good;
}

/* ---- Along a stream --------------------------------------------------- */

static const struct {
    enum row_column column;
    const char *name;
} measures[] = {{ROW_FPR, "FPR"}, {ROW_FNR, "FNR"}, {ROW_FILL, "fill"}};

/* Points on one stream in one memory share a figure. */
static bool same_figure(const struct row *a, const struct row *b)
{
    static const enum row_column columns[] = {ROW_EXPERIMENT, ROW_STREAM,
                                              ROW_KEY, ROW_MEMORY};

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(row_cell(a, columns[i]), row_cell(b, columns[i])) != 0)
            return false;
    return true;
}

/* Returns whether it is the first point of its figure. */
static bool begins(const struct results *r, size_t i)
{
    if (row_is_whole(&r->row[i]))
        return false;
    for (size_t j = 0; j < i; j++)
        if (!row_is_whole(&r->row[j]) && same_figure(&r->row[j], &r->row[i]))
            return false;
    return true;
}

static bool curve(FILE *to, const struct results *r, size_t first,
                  enum row_column column, const char *name)
{
    const struct row *like = &r->row[first];
    const char *experiment = row_cell(like, ROW_EXPERIMENT);
    char title[700], y[32], memory[SIZE_TEXT];
    struct chart chart = {.title = title, .x = "records", .y = y};
    struct figure f = {0};
    bool good = true;

    snprintf(title, sizeof title, "%s%s%s, %s, %s", experiment,
             *experiment ? ": " : "", name, row_cell(like, ROW_STREAM),
             size_text(memory, (uint64_t)row_number(like, ROW_MEMORY)));
    snprintf(y, sizeof y, "%s, percent", name);
    for (size_t i = first; i < r->rows && good; i++)
        if (!row_is_whole(&r->row[i]) && same_figure(&r->row[i], like))
            good = add_point(&f, row_cell(&r->row[i], ROW_ALGORITHM),
                             row_number(&r->row[i], ROW_RECORDS),
                             100 * row_number(&r->row[i], column));
    if (good)
        chart_write(to, &chart, f.s, f.n);
    free_figure(&f);
    return good;
}

bool report_curves(FILE *to, const struct results *files, size_t n)
{
    bool good = true, any = false;

    for (size_t f = 0; f < n; f++)
        for (size_t i = 0; i < files[f].rows && good; i++) {
            if (!begins(&files[f], i))
                continue;
            if (!any)
                fputs("<section id=\"curves\"><h2>Along the streams</h2>\n"
                      "<div class=\"figures\">\n",
                      to);
            any = true;
            for (size_t m = 0; m < sizeof measures / sizeof *measures; m++)
                good = good && curve(to, &files[f], i, measures[m].column,
                                     measures[m].name);
        }
    if (any)
        fputs("</div></section>\n", to);
    return good;
}
