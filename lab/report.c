/*
 * report.c - writes results as an HTML page
 */
#include "report.h"

#include "chart.h"
#include "freshet.h"
#include "page_table.h"
#include "report_claims.h"
#include "report_curves.h"

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

/* ---- All that was measured -------------------------------------------- */

static void write_row(FILE *to, const struct row *row)
{
    fputs("<tr>", to);
    page_text_cell(to, row_cell(row, ROW_EXPERIMENT));
    page_text_cell(to, row_cell(row, ROW_STREAM));
    page_text_cell(to, row_cell(row, ROW_ALGORITHM));
    page_text_cell(to, row_cell(row, ROW_CHOSEN));
    page_size_cell(to, row_number(row, ROW_MEMORY));
    page_number_cell(to, row_number(row, ROW_SEED));
    for (enum row_column c = ROW_FPR; c < ROW_WIDTH; c++)
        if (c == ROW_FPR || c == ROW_FNR || c == ROW_STEADY_FPR ||
            c == ROW_STEADY_FNR || c == ROW_THEORY_FPR || c == ROW_THEORY_FNR ||
            c == ROW_PUBLISHED_FPR || c == ROW_PUBLISHED_FNR)
            page_number_cell(to, 100 * row_number(row, c));
    page_number_cell(to, row_number(row, ROW_BITS));
    page_number_cell(to, row_number(row, ROW_FLOOR));
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
    page_begin_table(to, title, sizeof title / sizeof *title, 0xfff0);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < files[i].rows; r++)
            if (row_is_whole(&files[i].row[r]))
                write_row(to, &files[i].row[r]);
    page_end_table(to);
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
          "<details class=\"faint\"><summary>",
          to);
    fprintf(to, "From %zu file%s, by freshet %s</summary>\n", n,
            n == 1 ? "" : "s", freshet_version());
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", to);
        chart_text(to, files[i].path);
    }
    fputs("</details>\n", to);
}

bool report_write(FILE *to, const struct results *files, size_t n)
{
    bool good;

    write_head(to, files, n);
    good = report_claims(to, files, n) && report_curves(to, files, n);
    write_rows(to, files, n);
    fputs("<script>\n", to);
    write_lines(to, js, sizeof js / sizeof *js);
    fputs("</script>\n</body>\n</html>\n", to);
    return good;
}
