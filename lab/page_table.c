/*
 * page_table.c - writes tables of a report
 */
#include "page_table.h"

#include <math.h>

#include "chart.h"
#include "size.h"

void page_begin_table(FILE *to, const char *const *title, size_t n,
                      size_t numbers)
{
    fputs("<div class=\"wide\"><table><thead><tr>", to);
    for (size_t i = 0; i < n; i++)
        fprintf(to,
                "<th scope=\"col\"%s><button type=\"button\">%s</button></th>",
                numbers >> i & 1 ? " class=\"number\"" : "", title[i]);
    fputs("</tr></thead><tbody>\n", to);
}

void page_end_table(FILE *to)
{
    fputs("</tbody></table></div>\n", to);
}

void page_text_cell(FILE *to, const char *text)
{
    fputs("<td>", to);
    for (; *text; text++) {
        char one[2] = {*text, '\0'};

        chart_text(to, one);
        if (*text == ',' || *text == ':') /* a line may end here */
            fputs("<wbr>", to);
    }
    fputs("</td>", to);
}

void page_number_cell(FILE *to, double value)
{
    if (isnan(value)) {
        fputs("<td class=\"number\"></td>", to);
        return;
    }
    fprintf(to, "<td class=\"number\" data-value=\"%.9g\">%.4g</td>", value,
            value);
}

void page_off_cell(FILE *to, double value)
{
    if (isnan(value) || fabs(value) > 1000)
        fprintf(to, "<td class=\"number\" data-value=\"%.0f\">%s</td>",
                isnan(value) ? 0 : value, isnan(value) ? "" : "&gt; 1000");
    else
        fprintf(to, "<td class=\"number\" data-value=\"%.9g\">%+.2f</td>",
                value, value);
}

void page_size_cell(FILE *to, double bytes)
{
    char text[SIZE_TEXT];

    fprintf(to, "<td class=\"number\" data-value=\"%.0f\">%s</td>", bytes,
            size_text(text, (uint64_t)bytes));
}
