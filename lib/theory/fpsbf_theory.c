/*
 * fpsbf_theory.c - predicted error rates of the fingerprint stable Bloom filter
 *
 * Equations are those of Singh and Batra, Computing and Informatics 37, 2018.
 */
#include "fpsbf_theory.h"

#include <math.h>

#include "reach.h"

enum { STEPS = 1000 }; /* steps of a sum over a stream */

/*
 * Returns the chance that a cell at Max is still above zero after n keys were
 * stored.  After j decrements it is C(Max-1, j) / Max^j, the share of the Max^j
 * sums of j numbers from 1 to Max that are below Max; the number of decrements
 * is Poisson.
 */
static double alive(const struct fr_fpsbf_law *l, double n)
{
    double mean = l->evict * l->rate * n, term = exp(-mean), sum = 0;

    for (double j = 0; j < l->max && term > 0; j++) {
        sum += term;
        term *= mean / (j + 1) * (l->max - 1 - j) / (j + 1) / l->max;
    }
    return sum;
}

/*
 * Returns the chance that a cell is above zero because one of the last n keys
 * set it: the same sum, over the time since it was set.
 */
static double above_zero(const struct fr_fpsbf_law *l, double n)
{
    double weight = 1 / (1 + l->evict), sum = 0;

    for (double j = 0; j < l->max && weight > sum * 1e-12; j++) {
        sum +=
            weight * (isinf(n) ? 1
                               : fr_poisson_tail((1 + l->evict) * l->rate * n,
                                                 (unsigned)j + 1));
        weight *=
            l->evict / (1 + l->evict) * (l->max - 1 - j) / (j + 1) / l->max;
    }
    return sum;
}

double fr_fpsbf_victims(const struct fr_fpsbf_law *l, double false_drop)
{
    double m = l->k / l->rate;
    double zeros = pow(1 - pow(false_drop, 1 / l->k), 1 / l->max);

    return 1 / ((1 / zeros - 1) * (1 / l->k - 1 / m));
}

/*
 * Corollary 2 of Deng and Rafiei, for these cells: returns the first record of
 * new keys at which the share in use is within 1 % of its limit.
 */
static double stable_after(const struct fr_fpsbf_law *l)
{
    double in_use = above_zero(l, (double)INFINITY), low = 0, high = 1;

    while (high < 0x1p62 && above_zero(l, high) < 0.99 * in_use)
        high *= 2;
    while (high - low > 0.5 + high * 1e-12) {
        double middle = (low + high) / 2;

        if (above_zero(l, middle) < 0.99 * in_use)
            low = middle;
        else
            high = middle;
    }
    return ceil(high);
}

double fr_fpsbf_matches(const struct fr_fpsbf_law *l, double above,
                        double agreeing)
{
    double all = pow(agreeing, l->k);

    return l->any ? pow(above, l->k) - pow(above - agreeing, l->k) : all;
}

double fr_fpsbf_false_drop(const void *law, double n)
{
    const struct fr_fpsbf_law *l = law;
    double above = above_zero(l, n);

    return fr_fpsbf_matches(l, above, above * l->equal);
}

/*
 * A cell certainly agrees if no key was stored in it since, and with xor if
 * none was before either; otherwise it agrees by chance.
 */
static double lost(const struct fr_fpsbf_law *l, double n, double since)
{
    double own = exp(-l->rate * since) * alive(l, since);
    double above = own + above_zero(l, since);

    if (l->xor)
        own *= exp(-l->rate * (n - since));
    return 1 - fr_fpsbf_matches(l, above, own + (above - own) * l->equal);
}

/*
 * A key that was falsely dropped is not stored: with match=any, usually one
 * cell of another key replaces it, until that is lost in turn.
 */
double fr_fpsbf_false_pass(const void *law, double n, double since)
{
    const struct fr_fpsbf_law *l = law;
    double own = exp(-l->rate * since) * alive(l, since);
    double others = l->any ? own + above_zero(l, since) : own;
    double drop = fr_fpsbf_false_drop(l, n);

    return (1 - drop) *
           (lost(l, n, since) + drop * (1 - own * pow(others, l->k - 1)));
}

/*
 * A finite stream.  Only a key that is not recognised is stored, so time is
 * counted by the n keys that were stored: each has survived with probability
 * G(n - j) since the j-th, wherever in the stream that was; hence the share of
 * the universe that is recognised grows by G(n) / universe with each.  Fifty
 * rounds of the universe are summed; later ones are like the last of them.
 */
static void over_stream(const struct fr_fpsbf_law *l, double universe,
                        double records, freshet_rates *rates)
{
    double step = fmin(records / STEPS, universe / 20), drop = 0;
    double n = 0, known = 0, drops = 0, fresh = 0, passes = 0, repeats = 0;

    for (int i = 0; i < STEPS; i++) {
        double is_new = exp(-step * (i + 0.5) / universe), taken;

        drop = fr_fpsbf_false_drop(l, n);
        taken = step * (1 - known) * (1 - drop);
        fresh += is_new;
        drops += is_new * drop;
        repeats += 1 - is_new;
        passes += fmax(0, 1 - is_new - known) * (1 - drop);
        known = fmin(1, known + (1 - lost(l, n, n)) * taken / universe);
        n += taken;
    }
    repeats += records / step - STEPS;
    passes += (records / step - STEPS) * (1 - known) * (1 - drop);
    rates->false_drop = drops / fresh;
    rates->false_pass = fmin(1, passes / repeats);
    if (l->xor) /* a key that is stored again may cancel itself out */
        rates->false_pass = (double)NAN;
}

/* Eq. 12, 13 and 15: their second term vanishes as the stream goes on. */
static double published_false_drop(const struct fr_fpsbf_law *l)
{
    double m = l->k / l->rate;

    return pow(1 / (1 + 1 / (l->evict * l->k * (1 / l->k - 1 / m))), l->max);
}

/*
 * Eq. 6 to 9 and 16 to 20, with z at its mean chance to be at least Max, and
 * the binomial as a Poisson tail.  Eq. 5 takes a cell that was never set for
 * zero, so that an immediate repeat is always missed.
 */
static double published_false_pass(const struct fr_fpsbf_law *l, double gap)
{
    double kill = l->evict * l->rate / l->max, both = kill + l->rate;
    double zero = pow(kill / both, l->max) *
                  fr_poisson_tail(both * gap, (unsigned)l->max);
    double bits = -log2(l->equal), m = l->k / l->rate;
    double error = l->equal / m * gap * pow(1 - 1 / bits, gap - 1);

    zero = fmin(1, zero + exp(-l->rate * gap));
    return fmin(1, 1 - pow(1 - zero, l->k) + pow(error, l->k));
}

void fr_fpsbf_expect(const struct fr_fpsbf_law *l, const freshet_workload *w,
                     freshet_rates *rates)
{
    struct fr_course course = {l, fr_fpsbf_false_drop, fr_fpsbf_false_pass};

    rates->theory = "Singh and Batra Eq. 15 and 20";
    if (w->published) {
        rates->false_drop = published_false_drop(l);
        if (!w->distinct)
            rates->false_pass = published_false_pass(l, (double)w->gap);
        return;
    }
    rates->theory = "after Singh and Batra Eq. 3-20, corrected";
    rates->reach = fr_reach(&course);
    rates->stable_fill = above_zero(l, (double)INFINITY);
    rates->stable_after = stable_after(l);
    rates->false_drop = fr_fpsbf_false_drop(l, (double)INFINITY);
    rates->false_pass =
        fr_fpsbf_false_pass(l, (double)INFINITY, (double)w->gap);
    if (w->distinct && w->records)
        over_stream(l, (double)w->distinct, (double)w->records, rates);
    else if (w->distinct)
        fr_average(&course, w, rates);
}
