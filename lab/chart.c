/*
 * chart.c - writes a figure as inline SVG
 */
#include "chart.h"

#include <math.h>

enum {
    WIDTH = 480,
    HEIGHT = 300,
    LEFT = 52,
    RIGHT = 24,
    TOP = 10,
    BOTTOM = 40
};

/* The range of an axis, or of its decimal logarithms. */
struct axis {
    double low, high;
    bool logarithmic;
    double step; /* between two marks */
};

void chart_text(FILE *to, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            putc(*text, to);
        }
}

/* ---- Axes ------------------------------------------------------------- */

static double at(const struct axis *a, double value)
{
    return a->logarithmic ? log10(value) : value;
}

static bool fits(const struct axis *a, double value)
{
    return isfinite(value) && (!a->logarithmic || value > 0);
}

static void widen(struct axis *a, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fits(a, value[i])) {
            a->low = fmin(a->low, at(a, value[i]));
            a->high = fmax(a->high, at(a, value[i]));
        }
}

/* Returns 1, 2 or 5 times a power of ten, so that an axis has about five
   steps. */
static double step_of(const struct axis *a)
{
    double raw = (a->high - a->low) / 5;
    double power = pow(10, floor(log10(raw)));

    if (a->logarithmic)
        return fmax(1, ceil(raw));
    return raw / power < 1.5   ? power
           : raw / power < 3.5 ? 2 * power
           : raw / power < 7.5 ? 5 * power
                               : 10 * power;
}

/* Rounds the range to whole steps; an axis that is not logarithmic begins
   at 0. */
static void round_range(struct axis *a)
{
    if (!a->logarithmic)
        a->low = fmin(a->low, 0);
    if (!(a->high > a->low)) { /* no value, or a single one */
        a->low = isfinite(a->low) ? floor(a->low) : 0;
        a->high = a->low + 1;
    }
    a->step = step_of(a);
    a->low = floor(a->low / a->step) * a->step;
    a->high = ceil(a->high / a->step) * a->step;
}

static double x_of(const struct axis *a, double shown)
{
    return LEFT +
           (shown - a->low) / (a->high - a->low) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct axis *a, double shown)
{
    return HEIGHT - BOTTOM -
           (shown - a->low) / (a->high - a->low) * (HEIGHT - TOP - BOTTOM);
}

static void write_tick(FILE *to, const struct axis *a, double shown, double x,
                       double y, const char *anchor)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.4g</text>\n",
            x, y, anchor, a->logarithmic ? pow(10, shown) : shown);
}

static size_t steps_of(const struct axis *a)
{
    return (size_t)lround((a->high - a->low) / a->step);
}

static void write_ticks(FILE *to, const struct axis *x, const struct axis *y)
{
    for (size_t i = 0; i <= steps_of(x); i++) {
        double v = x->low + (double)i * x->step, at = x_of(x, v);

        fprintf(to, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, TOP,
                HEIGHT - BOTTOM);
        write_tick(to, x, v, at, HEIGHT - BOTTOM + 15.0, "middle");
    }
    for (size_t i = 0; i <= steps_of(y); i++) {
        double v = y->low + (double)i * y->step, at = y_of(y, v);

        fprintf(to, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at,
                WIDTH - RIGHT);
        write_tick(to, y, v, LEFT - 5.0, at + 4, "end");
    }
}

static void write_axes(FILE *to, const struct chart *c, const struct axis *x,
                       const struct axis *y)
{
    write_ticks(to, x, y);
    fprintf(to, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP,
            HEIGHT - BOTTOM, WIDTH - RIGHT);
    fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
    chart_text(to, c->x);
    fprintf(to,
            "</text>\n<text transform=\"translate(12 %d) rotate(-90)\" "
            "text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    chart_text(to, c->y);
    fputs("</text>\n", to);
    if (c->diagonal) {
        double low = fmax(x->low, y->low), high = fmin(x->high, y->high);

        fprintf(to, "<path class=\"axis\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                x_of(x, low), y_of(y, low), x_of(x, high), y_of(y, high));
    }
}

/* ---- Series ----------------------------------------------------------- */

static void write_points(FILE *to, const struct series *s, const struct axis *x,
                         const struct axis *y)
{
    for (size_t i = 0; i < s->n; i++)
        if (fits(x, s->x[i]) && fits(y, s->y[i]))
            fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
                    x_of(x, at(x, s->x[i])), y_of(y, at(y, s->y[i])));
}

static void write_line(FILE *to, const struct series *s, const struct axis *x,
                       const struct axis *y)
{
    char move = 'M';

    fputs("<path class=\"curve\" d=\"", to);
    for (size_t i = 0; i < s->n; i++)
        if (fits(x, s->x[i]) && fits(y, s->y[i])) {
            fprintf(to, "%c%.1f %.1f", move, x_of(x, at(x, s->x[i])),
                    y_of(y, at(y, s->y[i])));
            move = 'L';
        }
    fputs(move == 'M' ? "M0 0\"/>" : "\"/>", to);
}

static void write_legend(FILE *to, const struct series *s, size_t n)
{
    fputs("<ul class=\"legend\">", to);
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "<li class=\"s%zu\">", i % CHART_COLOURS + 1);
        chart_text(to, s[i].name);
        fputs("</li>", to);
    }
    fputs("</ul>\n", to);
}

void chart_write(FILE *to, const struct chart *c, const struct series *s,
                 size_t n)
{
    struct axis x = {(double)INFINITY, -(double)INFINITY, c->logarithmic, 0},
                y = x;

    for (size_t i = 0; i < n; i++) {
        widen(&x, s[i].x, s[i].n);
        widen(&y, s[i].y, s[i].n);
    }
    round_range(&x);
    round_range(&y);
    fputs("<figure><figcaption>", to);
    chart_text(to, c->title);
    fprintf(to,
            "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"",
            WIDTH, HEIGHT);
    chart_text(to, c->title);
    fputs("\">\n", to);
    write_axes(to, c, &x, &y);
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "<g class=\"s%zu\">", i % CHART_COLOURS + 1);
        (c->points ? write_points : write_line)(to, &s[i], &x, &y);
        fputs("</g>\n", to);
    }
    fputs("</svg>\n", to);
    write_legend(to, s, n);
    fputs("</figure>\n", to);
}
