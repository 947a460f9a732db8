/*
 * partitions_theory.c - predicted error rates of the filters of partitions.h
 *
 * All of it follows from one balance: how often a zero bit is set, and how
 * often a set bit is reset.  The law of an algorithm gives both.
 */
#include <math.h>

#include "parts/partitions.h"
#include "theory.h"

/* ---- A finite stream -------------------------------------------------- */

/*
 * A bit belongs to c keys of the universe, c being Poisson with mean U/s.  A
 * record of one of them finds the bit set or, if it is stored, sets it; all
 * other changes are resets.  So the chance p that the bit is set follows
 *
 *     p' = stored * c/U * (1 - p) - resets/s * p
 *
 * for each sort of bit c by itself; the sorts share only the two factors.  The
 * equation is linear, so a bit that was set for certain at time u differs from
 * p by (1 - p(u)) exp(-(its factors, summed since u)).
 *
 * Steps get longer with the square of their number, since most happens early.
 */
enum { STEPS = 256, SORTS = 24 };

struct walk {
    const struct fr_parts_theory *theory;
    const struct fr_parts *parts;
    double universe; /* infinite: no key returns */
    double power;    /* bits of a key that count: k or 1 */
    int at;          /* the last computed step */
    double share[SORTS], rate[SORTS];
    double time[STEPS + 1];
    double ones[STEPS + 1][SORTS];
    double stored[STEPS + 1], resets[STEPS + 1]; /* sums up to a step */
};

/* A time, as a step and a fraction of the way to the next one. */
struct place {
    int step;
    double part;
};

static struct place find(const double *values, int last, double value)
{
    int low = 0, high = last;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        if (values[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    if (high == low || values[high] <= values[low])
        return (struct place){low, 0};
    return (struct place){low, fmin((value - values[low]) /
                                        (values[high] - values[low]),
                                    1)};
}

static double between(const double *values, size_t stride, struct place p)
{
    const double *low = values + (size_t)p.step * stride;

    return p.part > 0 ? low[0] + p.part * (low[stride] - low[0]) : low[0];
}

static double share_of_ones(const struct walk *w, struct place p)
{
    double sum = 0;

    for (int c = 0; c < SORTS; c++)
        sum += w->share[c] * between(&w->ones[0][c], SORTS, p);
    return fmin(sum, 1); /* shares may sum up to more, by rounding */
}

static double walk_false_drop(const void *walk, double t)
{
    const struct walk *w = walk;

    return pow(share_of_ones(w, find(w->time, w->at, t)), w->power);
}

/*
 * The gap counts stored records, since other records change nothing.  If it
 * leads back before the first record, the key was never stored.
 */
static double walk_false_pass(const void *walk, double t, double gap)
{
    const struct walk *w = walk;
    struct place now = find(w->time, w->at, t), then;
    double since = between(w->stored, 1, now) - gap, lost, set = 0;

    if (since < 0)
        return 1 - pow(share_of_ones(w, now), w->power);
    then = find(w->stored, w->at, since);
    lost = between(w->resets, 1, now) - between(w->resets, 1, then);
    for (int c = 0; c < SORTS && w->share[c] > 0; c++)
        set += w->share[c] * (between(&w->ones[0][c], SORTS, now) +
                              (1 - between(&w->ones[0][c], SORTS, then)) *
                                  exp(-w->rate[c] * gap - lost));
    return 1 - pow(fmin(set, 1), w->power);
}

/* Returns the effect of the average record at the last computed step. */
static struct fr_parts_record walk_look(struct walk *w)
{
    struct fr_course course = {w, walk_false_drop, walk_false_pass};
    double t = w->time[w->at], is_new = fr_unmet(t, w->universe);
    struct place here = {w->at, 0};
    struct fr_parts_record r = {.t = t, .ones = share_of_ones(w, here)};

    r.fresh = is_new * (1 - pow(r.ones, w->parts->k));
    r.zero = is_new * (1 - r.ones);
    if (is_new < 1) {
        r.fresh += (1 - is_new) * fr_over_gaps(&course, t, w->universe);
        w->power = 1;
        r.zero += (1 - is_new) * fr_over_gaps(&course, t, w->universe);
        w->power = w->parts->k;
    }
    w->theory->law(w->parts, &r);
    return r;
}

/* Computes one step with these factors. */
static void walk_on(struct walk *w, int from, double stored, double resets)
{
    double time = w->time[from + 1] - w->time[from];

    resets /= (double)w->parts->s;
    for (int c = 0; c < SORTS; c++) {
        double gain = stored * w->rate[c], sum = gain + resets;
        double goal = sum > 0 ? gain / sum : w->ones[from][c];

        w->ones[from + 1][c] =
            goal + (w->ones[from][c] - goal) * exp(-sum * time);
    }
    w->stored[from + 1] = w->stored[from] + stored * time;
    w->resets[from + 1] = w->resets[from] + resets * time;
    w->at = from + 1;
}

/* Chooses sorts by Poisson weight, at most a standard deviation apart. */
static void walk_sorts(struct walk *w)
{
    double s = (double)w->parts->s, mean = w->universe / s, sum = 0;
    double spread = sqrt(mean), first = floor(fmax(0, mean - 4 * spread));
    double last = mean + 5.5 * spread + 4;
    double stride = fmax(1, ceil((last - first) / SORTS));

    w->share[0] = 1;
    w->rate[0] = 1 / s;
    if (mean > 1e6) /* all sorts are equal, as with keys that never return */
        return;
    for (int i = 0; i < SORTS; i++) {
        double c = first + i * stride;

        w->rate[i] = c / w->universe;
        w->share[i] = exp(c * log(mean) - mean - fr_log_factorial(c));
        sum += w->share[i];
    }
    for (int i = 0; i < SORTS; i++)
        w->share[i] /= sum;
}

/* If a stream is much longer than its universe, half of the steps cover its
   late part. */
static void walk_times(struct walk *w, double records)
{
    double early = fmin(records, 20 * w->universe);
    int half = records > 2 * early ? STEPS / 2 : STEPS;

    if (half == STEPS)
        early = records;
    for (int i = 0; i <= half; i++)
        w->time[i] = early * i * i / half / half;
    for (int i = half + 1; i <= STEPS; i++)
        w->time[i] = early * pow(records / early, (double)(i - half) / half);
}

static void walk_through(struct walk *w, double records)
{
    w->power = w->parts->k;
    walk_sorts(w);
    walk_times(w, records);
    for (int i = 0; i < STEPS; i++) { /* Heun's method */
        struct fr_parts_record here = walk_look(w), next;

        walk_on(w, i, here.stored, here.resets);
        next = walk_look(w);
        walk_on(w, i, (here.stored + next.stored) / 2,
                (here.resets + next.resets) / 2);
    }
}

static void over_stream(const struct fr_parts_theory *theory,
                        const struct fr_parts *p,
                        const freshet_workload *workload, freshet_rates *rates)
{
    struct walk w = {.theory = theory,
                     .parts = p,
                     .universe = (double)INFINITY};
    struct fr_course course = {&w, walk_false_drop, walk_false_pass};
    double records = (double)workload->distinct;

    if (workload->records) {
        w.universe = (double)workload->distinct;
        records = (double)workload->records;
    }
    walk_through(&w, records);
    fr_average(&course, workload, rates);
    rates->theory = theory->finite;
}

/* ---- An endless stream ------------------------------------------------ */

/* Returns the average record once the share of ones stays at this value. */
static struct fr_parts_record steady_record(
    const struct fr_parts_theory *theory, const struct fr_parts *p, double ones)
{
    struct fr_parts_record r = {.t = (double)INFINITY,
                                .ones = ones,
                                .fresh = 1 - pow(ones, p->k),
                                .zero = 1 - ones};

    theory->law(p, &r);
    return r;
}

/* Returns the share of ones where gain and loss are equal; 1 if the gain is
   always larger. */
static double steady_ones(const struct fr_parts_theory *theory,
                          const struct fr_parts *p)
{
    double low = 0, high = 1, frozen = theory->frozen ? theory->frozen(p) : 0;

    if (frozen > 0) {
        struct walk w = {.theory = theory,
                         .parts = p,
                         .universe = (double)INFINITY};

        walk_through(&w, frozen);
        return w.ones[STEPS][0];
    }
    for (int i = 0; i < 60; i++) {
        double ones = (low + high) / 2;
        struct fr_parts_record r = steady_record(theory, p, ones);

        if (r.stored * r.zero > r.resets * r.ones)
            low = ones;
        else
            high = ones;
    }
    return high;
}

double fr_parts_wanted_k(const struct fr_parts_theory *theory,
                         double false_drop)
{
    struct fr_parts p = {.s = UINT64_C(1) << 20, .k = 1};

    while (p.k < FR_MAX_PARTS && pow(steady_ones(theory, &p), p.k) > false_drop)
        p.k++;
    return p.k;
}

static void endless(const struct fr_parts_theory *theory,
                    const struct fr_parts *p, const freshet_workload *workload,
                    freshet_rates *rates)
{
    double ones = steady_ones(theory, p), often = pow(0.999, 1.0 / p->k);
    struct fr_parts_record r = steady_record(theory, p, ones);
    double rate = (r.stored + r.resets) / (double)p->s;
    double set = ones + (1 - ones) * exp(-rate * (double)workload->gap);

    rates->false_drop = pow(ones, p->k);
    rates->false_pass = 1 - pow(set, p->k);
    rates->reach = often > ones ? -log((often - ones) / (1 - ones)) / rate
                                : (double)INFINITY;
    rates->theory = theory->steady;
}

/* ---- As published ----------------------------------------------------- */

struct claim {
    double k, time[STEPS + 1], y[STEPS + 1];
};

static double claimed_x(const void *claim, double t)
{
    const struct claim *c = claim;

    return pow(between(c->y, 1, find(c->time, STEPS, t)), c->k);
}

static double claimed_miss(const void *claim, double t, double gap)
{
    (void)gap;
    return 1 - claimed_x(claim, t);
}

static void published(const struct fr_parts_theory *theory,
                      const struct fr_parts *p,
                      const freshet_workload *workload, freshet_rates *rates)
{
    double records =
        (double)(workload->records ? workload->records : workload->distinct);
    struct claim c = {.k = p->k};
    struct fr_course course = {&c, claimed_x, claimed_miss};

    rates->theory = theory->published;
    if (!workload->distinct) { /* X tends to 1, the papers say */
        rates->false_drop = 1;
        rates->false_pass = 0;
        return;
    }
    for (int i = 0; i < STEPS; i++) {
        double up, down, time;

        c.time[i + 1] = records * (i + 1) * (i + 1) / STEPS / STEPS;
        time = c.time[i + 1] - c.time[i];
        theory->claim(p, c.time[i], c.y[i], &up, &down);
        c.y[i + 1] = down > 0
                         ? up / down + (c.y[i] - up / down) * exp(-down * time)
                         : c.y[i] + up * time;
        c.y[i + 1] = fmin(c.y[i + 1], 1);
    }
    fr_average(&course, workload, rates);
}

void fr_parts_expect(const struct fr_parts_theory *theory,
                     const struct fr_parts *p, const freshet_workload *workload,
                     freshet_rates *rates)
{
    if (workload->published) {
        published(theory, p, workload, rates);
        return;
    }
    endless(theory, p, workload, rates);
    if (workload->distinct)
        over_stream(theory, p, workload, rates);
}
