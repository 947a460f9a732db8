/*
 * result_table.c - prints results as text
 *
 * Rates are in percent.  All other results are only in CSV and JSON.
 */
#include "result_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "size.h"

static void print_real(double value, int width, int digits)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*g", width, digits, value);
}

static void print_percent(const struct row *row, enum row_column column)
{
    print_real(row_number(row, column) * 100, 8, 4);
}

/* Prints half of the interval's width; it is nearly symmetric. */
static void print_interval(const struct row *row, enum row_column low)
{
    print_real((row_number(row, low + 1) - row_number(row, low)) * 50, 7, 2);
}

static void print_titles(const struct table *t)
{
    printf("%-*s %8s %4s %8s %7s %8s %7s %8s %8s %6s %8s %6s %8s %8s %8s %8s "
           "%7s %7s\n",
           t->width, "", "", "", "", "", "", "", "steady", "", "", "bits per",
           "", "theory", "", "papers'", "", "ns", "");
    printf("%-*s %8s %4s %8s %7s %8s %7s %8s %8s %6s %8s %6s %8s %8s %8s %8s "
           "%7s %7s\n",
           t->width, "algorithm", "memory", "seed", "FPR %", "+-", "FNR %",
           "+-", "FPR %", "FNR %", "fill %", "key", "floor", "FPR %", "FNR %",
           "FPR %", "FNR %", "filter", "total");
}

static void print_stream(struct table *t, const struct row *row)
{
    const char *stream = row_cell(row, ROW_STREAM);
    const char *name = row_cell(row, ROW_EXPERIMENT);

    if (t->begun && strncmp(t->stream, stream, sizeof t->stream - 1) == 0)
        return;
    snprintf(t->stream, sizeof t->stream, "%s", stream);
    printf("%s%s%s%s\n%s records%s%s\n", t->begun ? "\n" : "", name,
           *name ? ": " : "", stream, row_cell(row, ROW_RECORDS),
           *row_cell(row, ROW_KEY) ? ", compared by " : "",
           row_cell(row, ROW_KEY));
    print_titles(t);
    t->begun = true;
}

static void print_point(const struct table *t, const struct row *row)
{
    char label[48];

    snprintf(label, sizeof label, "  at %.6g", row_number(row, ROW_RECORDS));
    printf("%-*s %8s %4s", t->width, label, "", "");
    print_percent(row, ROW_FPR);
    print_interval(row, ROW_FPR_LOW);
    print_percent(row, ROW_FNR);
    print_interval(row, ROW_FNR_LOW);
    printf(" %8s %8s", "", "");
    print_real(row_number(row, ROW_FILL) * 100, 6, 3);
    putchar('\n');
}

static void print_whole(struct table *t, const struct row *row)
{
    char size[SIZE_TEXT];
    bool together = row_number(row, ROW_TOGETHER) > 1;

    t->together = t->together || together;
    printf("%-*s %8s %4s", t->width, row_cell(row, ROW_ALGORITHM),
           size_text(size, (uint64_t)row_number(row, ROW_MEMORY)),
           row_cell(row, ROW_SEED));
    print_percent(row, ROW_FPR);
    print_interval(row, ROW_FPR_LOW);
    print_percent(row, ROW_FNR);
    print_interval(row, ROW_FNR_LOW);
    print_percent(row, ROW_STEADY_FPR);
    print_percent(row, ROW_STEADY_FNR);
    print_real(row_number(row, ROW_FILL) * 100, 6, 3);
    print_real(row_number(row, ROW_BITS), 8, 4);
    print_real(row_number(row, ROW_FLOOR), 6, 3);
    print_percent(row, ROW_THEORY_FPR);
    print_percent(row, ROW_THEORY_FNR);
    print_percent(row, ROW_PUBLISHED_FPR);
    print_percent(row, ROW_PUBLISHED_FNR);
    print_real(row_number(row, ROW_NS), 6, 3);
    putchar(together ? '*' : ' ');
    print_real(row_number(row, ROW_TOTAL_NS), 6, 3);
    puts(together ? "*" : "");
}

void table_rows(struct table *t, const struct row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0)
            print_stream(t, &row[n - 1]); /* the whole stream */
        if (row_is_whole(&row[i]))
            print_whole(t, &row[i]);
        else
            print_point(t, &row[i]);
    }
}

void table_skip(struct table *t, const char *algorithm, const char *why)
{
    printf("%-*s left out: %s\n", t->width, algorithm, why);
}

void table_end(const struct table *t)
{
    if (t->together)
        puts("\n* timed while other rows ran; --jobs 1 runs them one by one");
}
