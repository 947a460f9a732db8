/*
 * plan_print.c - prints the rows of freshet plan
 */
#include "plan_print.h"

#include <math.h>
#include <stdio.h>

#include "json_writer.h"
#include "size.h"

static void print_cell(double value)
{
    if (isnan(value))
        printf(" %12s", "?");
    else
        printf(" %12.2g", value);
}

static void print_found(double gap)
{
    if (isnan(gap))
        printf(" %9s", "?");
    else if (isinf(gap))
        printf(" %9s", "for ever");
    else
        printf(" %9.3g", gap);
}

/* If no error was counted, the rate may still not be zero. */
static void print_counted(const struct audit_rate *rate)
{
    char text[24];

    snprintf(text, sizeof text, "<%.2g", rate->high);
    if (rate->n == 0 || rate->wrong)
        print_cell(rate->rate);
    else
        printf(" %12s", text);
}

void plan_print_row(const struct plan_row *row)
{
    char size[SIZE_TEXT];

    printf("%-10s", row->algorithm->name);
    if (row->why_not.text[0]) {
        printf(" %s\n", row->why_not.text);
        return;
    }
    if (row->measured) {
        print_counted(&row->drop);
        print_counted(&row->pass);
    } else {
        print_cell(row->rates.false_drop);
        print_cell(row->rates.false_pass);
    }
    if (row->expect)
        print_cell(row->worst);
    for (int i = 0; i < PLAN_FOUND; i++)
        print_found(row->found[i]);
    printf(" %8s", size_text(size, row->bytes));
    printf(" %8s  %s%s\n",
           isnan(row->needs) ? "-" : size_text(size, (uint64_t)row->needs),
           row->algorithm->title,
           row->measured && !row->sample.steady ? " (still filling)" : "");
}

void plan_print_json(const struct plan_row *row)
{
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "algorithm", row->algorithm->name);
    if (row->why_not.text[0]) {
        json_text(&j, "cannot", row->why_not.text);
    } else {
        json_real(&j, "false_drop", row->rates.false_drop);
        json_real(&j, "false_pass", row->rates.false_pass);
        if (row->expect)
            json_real(&j, "false_pass_worst", row->worst);
        json_real(&j, "reach", row->rates.reach);
        json_real(&j, "found_99", row->found[0]);
        json_real(&j, "found_90", row->found[1]);
        json_real(&j, "found_50", row->found[2]);
        json_count(&j, "bytes", row->bytes);
        json_real(&j, "needs", row->needs);
        if (row->settles)
            stability_json(&row->stability, &j);
    }
    if (row->measured) {
        json_real(&j, "false_drop_high", row->drop.high);
        json_real(&j, "false_pass_high", row->pass.high);
        json_count(&j, "measured_new", row->drop.n);
        json_count(&j, "measured_repeats", row->pass.n);
        if (row->settles)
            json_real(&j, "false_pass_by_gaps", row->by_gaps);
        json_count(&j, "scale", row->sample.scale);
        json_bool(&j, "steady", row->sample.steady);
    }
    json_end(&j, '}');
    putchar('\n');
}

void plan_print_titles(bool expect)
{
    printf("%-10s %12s %12s", "", "false drops", "false passes");
    if (expect)
        printf(" %12s", "at worst");
    printf(" %9s %9s %9s %8s %8s\n", "99 %", "90 %", "50 %", "memory", "needs");
}

void plan_print_stability(const struct plan_row *rows, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].why_not.text[0] || !rows[i].settles)
            continue;
        puts(any ? ""
                 : "\nFilters with a stable state on an endless stream of new "
                   "keys:");
        any = true;
        stability_print(&rows[i].stability, rows[i].algorithm->name);
    }
}
