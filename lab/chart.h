/*
 * chart.h - a figure as inline SVG
 *
 * Colours and letters are the page's, by classes, so that one figure serves
 * light and dark.
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
    bool logarithmic;          /* both axes: what is not above 0 is left out */
    bool points;               /* no lines between */
    bool diagonal;             /* and a line where x = y */
};

/* A figure with its legend. */
void chart_write(FILE *to, const struct chart *c, const struct series *s,
                 size_t n);

/* Text for HTML, its special characters written out. */
void chart_text(FILE *to, const char *text);

#endif
