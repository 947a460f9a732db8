/*
 * promise.c - the promises of this library, and whether a measurement keeps
 * them
 */
#include "promise.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "published.h"

#define ANY (double)NAN /* no bound */

/* Keys of the window that the targets of the pocket filter are about. */
#define WINDOW UINT64_C(4194304)

/* ---- The pocket filter ------------------------------------------------ */

/*
 * Bits for each key of the gap.  Without a window the memory is that of the
 * target and the gap follows from the bits; with one, the window is WINDOW and
 * the memory follows.
 */
static const struct pocket_row {
    double error;
    unsigned target, bits;
    bool window;
    uint64_t records;
    double fpr, fnr;
} pocket_rows[] = {
    {0.01, 17, 17, false, 100000000, 0.011, 50e-6},
    {0.01, 17, 16, false, 60000000, ANY, ANY},
    {0.001, 23, 23, false, 100000000, 0.001, 20e-6},
    {0.001, 23, 22, false, 60000000, ANY, ANY},
    {0.001, 23, 21, false, 60000000, ANY, ANY},
    {1e-6, 80, 80, false, 200000000, 1e-6, 50e-6},
    {1e-6, 80, 42, false, 100000000, ANY, ANY},
    {1e-6, 80, 41, false, 100000000, ANY, ANY},
    {0.01, 17, 18, true, 60000000, ANY, ANY},
    {0.01, 17, 17, true, 60000000, ANY, ANY},
    {0.001, 23, 23, true, 60000000, ANY, ANY},
    {0.001, 23, 22, true, 60000000, ANY, ANY},
    {1e-6, 80, 40, true, 60000000, ANY, ANY},
    {1e-6, 80, 39, true, 60000000, ANY, ANY},
};
enum { POCKET_ROWS = sizeof pocket_rows / sizeof *pocket_rows };

/* Repeats, one record in a hundred, come from within the window: it counts
   records, gaps count new keys. */
static struct promise pocket_promise(const struct pocket_row *p)
{
    unsigned bits = p->window ? p->bits : p->target;
    struct promise c = {.group = "pocket",
                        .algorithm = "pocket",
                        .memory = WINDOW * bits / 8,
                        .window = p->window ? WINDOW : 0,
                        .error = p->error,
                        .steady = true,
                        .most = {p->fpr, p->fnr, ANY}};
    uint64_t gap =
        p->window ? WINDOW - WINDOW / 90 : WINDOW * p->target / p->bits;

    snprintf(c.detail, sizeof c.detail, "-e %g, %u bits%s", p->error, p->bits,
             p->window ? ", window" : "");
    snprintf(c.stream, sizeof c.stream,
             "endless:n=%" PRIu64 ",repeats=1%%,shape=fixed,gap=%" PRIu64,
             p->records, gap);
    return c;
}

/* ---- Memory that suffices --------------------------------------------- */

static const double wanted_rates[] = {0.1, 1e-3, 1e-6, 1e-12};
enum { WANTED_RATES = sizeof wanted_rates / sizeof *wanted_rates };

/* Ten million keys with 128 bits each; half of the records are repeats. */
static struct promise suffices_promise(double error, bool window)
{
    struct promise c = {.group = "suffices",
                        .stream = "uniform:n=20000000,distinct=50%",
                        .algorithm = "pocket",
                        .memory = UINT64_C(160000000),
                        .window = window ? 20000000 : 0,
                        .error = error,
                        .most = {0, 0, ANY}};

    snprintf(c.detail, sizeof c.detail, "-e %g%s", error,
             window ? ", window" : "");
    return c;
}

/* ---- The planner on published streams --------------------------------- */

enum { SCALE = 100, LEAST_BYTES = 65536 };

/* Returns whether it is a table of uniform streams with several filters. */
static bool is_compared(const struct published *p)
{
    return (strcmp(p->source, "bera") == 0 && p->table >= 4) ||
           strcmp(p->source, "dutta") == 0;
}

static struct promise published_promise(const struct published *p)
{
    uint64_t scale = p->memory / SCALE < LEAST_BYTES ? 1 : SCALE;
    struct promise c = {.algorithm = "auto",
                        .memory = p->memory / scale,
                        .most = {ANY, ANY, ANY}};

    published_name(c.group, p);
    snprintf(c.detail, sizeof c.detail, "%.3g, %g %%%s", (double)p->records,
             p->distinct, scale > 1 ? ", at 1/100" : "");
    snprintf(c.stream, sizeof c.stream, "uniform:n=%" PRIu64 ",distinct=%g%%",
             p->records / scale, p->distinct);
    return c;
}

/* The least value of every column is the bound for the planner's choice. */
static void add_column(struct promise *c, const struct published *p)
{
    bool both = p->distinct == 15 && p->memory >= UINT64_C(256) << 20;

    if (both) {
        c->most.fpr = fmin(c->most.fpr, p->fpr / 100);
        c->most.fnr = fmin(c->most.fnr, p->fnr / 100);
    } else {
        c->most.sum = fmin(c->most.sum, (p->fpr + p->fnr) / 100);
    }
}

/* ---- All of them ------------------------------------------------------ */

static bool is_named(const char *group, char *const *groups, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(groups[i], group) == 0)
            return true;
    return n == 0;
}

static struct promise *add(struct promises *all, const struct promise *c)
{
    struct promise *more = array_add(all->promise, all->n, sizeof *more);

    if (!more)
        return NULL;
    all->promise = more;
    all->promise[all->n] = *c;
    return &all->promise[all->n++];
}

/* Columns of one row of a table are consecutive. */
static bool add_published(struct promises *all)
{
    struct promise *last = NULL;
    struct published p;

    for (size_t i = 0; published_at(i, &p); i++) {
        struct promise c = published_promise(&p);

        if (!is_compared(&p))
            continue;
        if (!last || strcmp(last->stream, c.stream) != 0 ||
            strcmp(last->group, c.group) != 0 || last->memory != c.memory)
            last = add(all, &c);
        if (!last)
            return false;
        add_column(last, &p);
    }
    return true;
}

static bool add_all(struct promises *all)
{
    struct promise c;

    for (size_t i = 0; i < POCKET_ROWS; i++) {
        c = pocket_promise(&pocket_rows[i]);
        if (!add(all, &c))
            return false;
    }
    for (size_t i = 0; i < 2 * (size_t)WANTED_RATES; i++) {
        c = suffices_promise(wanted_rates[i / 2], i % 2);
        if (!add(all, &c))
            return false;
    }
    return add_published(all);
}

static bool exists(const struct promises *all, const char *group)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->promise[i].group, group) == 0)
            return true;
    return false;
}

bool promises_make(struct promises *c, char *const *groups, size_t n,
                   struct fault *why)
{
    size_t kept = 0;

    *c = (struct promises){0};
    if (!add_all(c)) {
        fault_set(why, "out of memory");
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!exists(c, groups[i])) {
            fault_set(why,
                      "there is no group '%.40s'; the groups are pocket, "
                      "suffices, bera4 to bera9 and dutta2 to dutta5",
                      groups[i]);
            return false;
        }
    for (size_t i = 0; i < c->n; i++)
        if (is_named(c->promise[i].group, groups, n))
            c->promise[kept++] = c->promise[i];
    c->n = kept;
    return true;
}

bool promises_add(const struct promises *all, struct grid *g, struct fault *why)
{
    for (size_t i = 0; i < all->n; i++) {
        struct promise *c = &all->promise[i];
        bool planned = strcmp(c->algorithm, "auto") == 0;
        struct experiment e = {
            .streams = 1,
            .algorithms = 1,
            .memories = 1,
            .seeds = 1,
            .stream = {c->stream},
            .algorithm = {(char *)(uintptr_t)c->algorithm},
            .memory = {c->memory},
            .seed = {1},
            .error = c->error,
            .expect = planned ? EXPECT_TRUTH : 0,
            .window = c->window,
            .goal = planned ? FRESHET_GOAL_FEWEST : FRESHET_GOAL_FALSE_DROPS,
        };

        snprintf(e.name, sizeof e.name, "check %s", c->group);
        if (!grid_add(g, &e, NULL, false, why))
            return false;
    }
    return true;
}

void promises_free(struct promises *c)
{
    free(c->promise);
    *c = (struct promises){0};
}

/* ---- Verdicts --------------------------------------------------------- */

/* The upper end of the interval must be within the bound, since drops may be
   few by chance; a bound of zero means that none was seen. */
static bool is_above(double most, double rate, double high)
{
    return (most > 0 ? high : rate) > most;
}

void promise_judge(struct promise *c, const struct row *row)
{
    double high =
        row_number(row, c->steady ? ROW_STEADY_FPR_HIGH : ROW_FPR_HIGH);
    bool above;

    c->measured.fpr = row_number(row, c->steady ? ROW_STEADY_FPR : ROW_FPR);
    c->measured.fnr = row_number(row, c->steady ? ROW_STEADY_FNR : ROW_FNR);
    c->measured.sum = c->measured.fpr + c->measured.fnr;
    above = is_above(c->most.fpr, c->measured.fpr, high) ||
            c->measured.fnr > c->most.fnr || c->measured.sum > c->most.sum;
    c->verdict = above ? PROMISE_EXCEEDED : PROMISE_KEPT;
    if (isnan(c->most.fpr) && isnan(c->most.fnr) && isnan(c->most.sum))
        c->verdict = PROMISE_SHOWN;
}

size_t promises_count(const struct promises *c, enum promise_verdict verdict)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += c->promise[i].verdict == verdict;
    return n;
}
