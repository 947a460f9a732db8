/*
 * bloom_bits.c - the theory that all Bloom filters here share
 */
#include "bloom_bits.h"

#include <math.h>

#include "theory/theory.h"

#define LN2 0.69314718055994530942

/* ---- Load ------------------------------------------------------------- */

double fr_bloom_fill(double m, double k, double n)
{
    return -expm1(-k * n / m);
}

double fr_bloom_rate(double m, double k, double n)
{
    return pow(fr_bloom_fill(m, k, n), k);
}

double fr_bloom_room(double m, double k, double rate)
{
    return -m / k * log1p(-pow(rate, 1 / k));
}

static double allowed_k(double k)
{
    return fmax(1, fmin(round(k), FR_BLOOM_MAX_K));
}

double fr_bloom_k_for_keys(double m, double n)
{
    return allowed_k(LN2 * m / n);
}

double fr_bloom_k_for_rate(double rate)
{
    return allowed_k(-log2(rate));
}

double fr_bloom_k(double given, double m, double n, double rate)
{
    double k = fr_bloom_k_for_rate(rate);

    if (given > 0)
        return given;
    return n > 0 ? fmin(k, fr_bloom_k_for_keys(m, n)) : k;
}

double fr_bloom_share(double rate, double n)
{
    return -expm1(log1p(-rate) / n);
}

/* ---- Windows ---------------------------------------------------------- */

double fr_window_keys(const struct fr_window *w, double records)
{
    return fr_distinct(records, w->universe);
}

double fr_window_joint_drop(const struct fr_window *w, double t)
{
    return fr_bloom_rate(w->m, w->k, fr_window_keys(w, t));
}

double fr_window_each_drop(const struct fr_window *w, double t)
{
    double full = floor(t / w->period);
    double young = fr_window_joint_drop(w, t - full * w->period);
    double old = fr_window_joint_drop(w, w->period);

    return 1 - (1 - young) * pow(1 - old, full);
}

/* Returns the mean false-drop rate over one generation, once the load no longer
   grows. */
static double settled_drop(const struct fr_window *w)
{
    enum { STEPS = 64 };
    double sum = 0;

    for (int i = 0; i < STEPS; i++)
        sum += w->drop(w, (w->settle + (i + 0.5) / STEPS) * w->period);
    return sum / STEPS;
}

/*
 * Returns whether t lies in the first generations, in which new keys get rarer
 * from one generation to the next and the exact place of record t matters.
 * Later on, averages over a generation are used instead.
 */
static bool is_young(const struct fr_window *w, double t)
{
    return t / w->period < w->settle + 16;
}

static double drop_at(const void *window, double t)
{
    const struct fr_window *w = window;

    if (t < (w->settle + 1) * w->period)
        return w->drop(w, t);
    if (!is_young(w, t))
        return w->settled;
    return w->drop(w, w->settle * w->period + fmod(t, w->period));
}

/* Returns the chance that a key is still known this many generations later. */
static double known(const struct fr_window *w, double generations)
{
    return generations > w->full ? pow(w->tail, generations - w->full) : 1;
}

static double known_at(const struct fr_window *w, double t, double distance)
{
    double generations = floor(distance / w->period);
    double next = distance / w->period - generations;

    if (is_young(w, t))
        return known(w,
                     floor(t / w->period) - floor((t - distance) / w->period));
    return (1 - next) * known(w, generations) +
           next * known(w, generations + 1);
}

static double pass_at(const void *window, double t, double distance)
{
    const struct fr_window *w = window;

    return (1 - known_at(w, t, distance)) * (1 - w->settled);
}

/*
 * With add=new a key that was falsely dropped is not stored, so that its repeat
 * may pass even inside the window.  That is at most as frequent as false drops,
 * but the rate itself is unknown: it becomes NaN.
 */
static void mark_unknown(const struct fr_window *w, freshet_rates *rates)
{
    if (w->timed || w->once)
        rates->false_pass = (double)NAN;
    if (w->timed || (w->once && w->settled > 0.001))
        rates->reach = (double)NAN;
}

void fr_window_expect(struct fr_window *w, const freshet_workload *load,
                      freshet_rates *rates)
{
    struct fr_course course = {w, drop_at, pass_at};

    w->universe = load->records ? (double)load->distinct : 0;
    w->settled = settled_drop(w);
    rates->reach = w->full > 0 ? w->full * w->period : w->period / 1000;
    if (load->distinct) {
        fr_average(&course, load, rates);
    } else {
        rates->false_drop = w->settled;
        rates->false_pass =
            pass_at(w, (double)INFINITY, (double)load->span + 1);
    }
    mark_unknown(w, rates);
}

/* ---- Filters that never forget ---------------------------------------- */

size_t fr_bloom_plan(struct fr_bloom_head *s, const struct fr_goal *goal,
                     unsigned per_word)
{
    size_t words = (goal->bytes - sizeof *s) / 8;
    double *k = &goal->param[0];
    double m = (double)words * per_word, n = (double)goal->expect;

    if (*k == 0)
        *k = n > 0 ? fr_bloom_k_for_keys(m, n)
                   : fr_bloom_k_for_rate(goal->false_drop);
    if (n == 0)
        n = fmax(1, fr_bloom_room(m, *k, goal->false_drop));
    s->m = words * per_word;
    s->k = fr_u32(*k);
    s->room = fr_u64(n);
    return sizeof *s + words * 8;
}

bool fr_bloom_check(const struct fr_bloom_head *s, size_t bytes,
                    unsigned per_word)
{
    return s->m == (bytes - sizeof *s) / 8 * per_word && s->k >= 1 &&
           s->k <= FR_BLOOM_MAX_K && s->room >= 1 && s->unused == 0;
}

void fr_bloom_expect(const void *state, const freshet_workload *w,
                     freshet_rates *rates)
{
    const struct fr_bloom_head *s = state;
    struct fr_window law = {.m = (double)s->m,
                            .k = s->k,
                            .period = (double)INFINITY,
                            .drop = fr_window_joint_drop};

    rates->theory = "Bloom, (1 - exp(-kn/m))^k";
    rates->drop_bound =
        w->distinct ? fr_bloom_rate(law.m, law.k, (double)w->distinct) : 1;
    fr_window_expect(&law, w, rates);
}

void fr_bloom_inspect(const struct fr_bloom_head *s, uint64_t used,
                      freshet_info *info)
{
    double m = (double)s->m;

    info->slots = s->m;
    info->used = used;
    info->forgotten = 0;
    info->false_drop = pow((double)used / m, s->k);
    info->false_pass = 0;
    info->over_plan =
        (double)used > m * fr_bloom_fill(m, s->k, (double)s->room);
}
