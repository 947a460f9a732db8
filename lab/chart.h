/*
 * chart.h - writes a figure as inline SVG
 *
 * Colours and fonts are set by the classes of the page, so that one figure
 * works in light and dark mode.
 */
#ifndef CHART_H
#define CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CHART_COLOURS = 8 };

struct series {
    char name[80];
    size_t n;
    double *x, *y; /* NaN: no such point */
};

struct chart {
    const char *title, *x, *y; /* of the figure and its axes */
    bool logarithmic;          /* both axes: values that are not above 0 are
                                  left out */
    bool points;               /* without lines */
    bool diagonal;             /* with a line where x = y */
};

/* Writes a figure with its legend. */
void chart_write(FILE *to, const struct chart *c, const struct series *s,
                 size_t n);

/* Writes text with the special characters of HTML escaped. */
void chart_text(FILE *to, const char *text);

#endif
