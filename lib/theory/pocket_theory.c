/*
 * pocket_theory.c - predicted error rates of the pocket filter
 *
 * doc/pocket.md derives the formulas and compares them with measurements.
 */
#include "pocket_theory.h"

#include <math.h>

#include "pocket/pocket.h"
#include "reach.h"

/* ---- False drops ------------------------------------------------------ */

/*
 * Returns the chance that one line holds the fingerprint of a new key.  The
 * fingerprints of a line differ from each other, since one that is found is not
 * stored again.  There are 2^width - 1 values: zero marks an empty slot, and
 * keys with that value use 1, which therefore comes, and is held, twice as
 * often.
 */
static double in_line(double held, double width)
{
    double kinds = exp2(width) - 1;

    return fmin(1, held * exp2(-width) * (1 + 2 / kinds));
}

double fr_pocket_drop_bound(unsigned choices, unsigned slots, unsigned width)
{
    return fmin(1, choices * in_line(slots, width));
}

/* Two lines both hold a fingerprint only if the later of them got it from a key
   whose other line is a third line of the group. */
double fr_pocket_false_drop(const struct pocket *s, double one)
{
    if (s->choices == 1)
        return one;
    return 2 * one - one * one * (s->group - 2) / (s->group - 1);
}

static double false_drop(const struct pocket *s, double held, double width)
{
    return fr_pocket_false_drop(s, in_line(held, width));
}

/* ---- False passes ----------------------------------------------------- */

#define THETA 1.5936 /* theta = 2 (1 - e^-theta) */
#define PI    3.14159265358979

/*
 * With two choices a line that has fallen behind the others of its group wins
 * every comparison.  It is pushed to at twice the mean rate until it has caught
 * up, so that lagging by x slots has probability e^(-theta x).  A key is lost
 * if its line lagged by at least the number of spare slots and was then filled
 * at the double rate during the gap.  Two factors are fitted, the leading one
 * and the one for a group about to lose everything: doc/pocket.md shows how
 * well they fit.
 *
 * Hits, Poisson with the given mean, push a key back as well.
 */
static double lost_in_group(unsigned slots, double load, double hits)
{
    double odds = 1.4 * exp(THETA * (load - slots));
    double share = exp(-hits), sum = 0, term;

    if (2 * load < slots + 4 * sqrt(slots)) /* otherwise that is certain */
        odds *= fr_poisson_tail(2 * load, slots);
    for (double n = 0;; n++) {
        term = share * odds / (1 + odds + 0.5 * odds / (1 + odds));
        sum += term;
        if (n >= 5 * hits && term <= sum / 1000)
            return sum;
        share *= hits / (n + 1);
        odds *= exp(THETA);
    }
}

/*
 * Returns whether all keys of a group fit whose load is z deviations above the
 * mean.  The fullest lines of a group have hardly more than two keys above its
 * mean.
 */
static bool fits(const struct pocket *s, double all, double z)
{
    double spread = sqrt((1.0 / s->group - 1.0 / (double)s->lines) * all);

    return all + spread * z + 2 < s->slots[s->levels - 1];
}

/*
 * A filter and the stream it is predicted for: a finite stream if universe is
 * not 0.  Averages over a stream need the loss at many loads of a group, and
 * read it from a table.
 */
enum { LOADS = 512 };

struct finite {
    const struct pocket *pocket;
    double universe;
    double drop; /* false-drop rate of full lines */
    bool filled;
    double lost[LOADS + 1]; /* share of keys lost, at loads from 0 to
                               most_load() */
};

static unsigned slots_of(const struct finite *f)
{
    return f->pocket->slots[f->pocket->levels - 1];
}

/* Returns the load at which a group has lost all but one key in a million. */
static double most_load(const struct finite *f)
{
    return slots_of(f) + 9;
}

/*
 * Returns the number of hits per push.  A false drop pushes nothing but moves
 * the fingerprint it hit to the front, and that fingerprint lies behind a given
 * key half of the time.
 */
static double hits_per_push(const struct finite *f)
{
    return f->drop / 2 / (1 - f->drop);
}

static double lost_by_formula(const struct finite *f, double load)
{
    return lost_in_group(slots_of(f), load, load * hits_per_push(f));
}

static void fill_table(struct finite *f)
{
    for (int i = 0; i <= LOADS; i++)
        f->lost[i] = lost_by_formula(f, most_load(f) * i / LOADS);
    f->filled = true;
}

static double lost_at(const struct finite *f, double load)
{
    double at = load / most_load(f) * LOADS;
    int low = (int)fmin(at, LOADS - 1);

    if (load >= most_load(f))
        return 1;
    if (!f->filled)
        return lost_by_formula(f, load);
    return f->lost[low] + (f->lost[low + 1] - f->lost[low]) * (at - low);
}

/*
 * Returns the share of lost keys over all groups.  Their loads are normally
 * distributed with variance load / group.  A group whose share of all existing
 * keys fits into its slots loses nothing.
 */
static double lost_in_any(const struct finite *f, double load, double all)
{
    const struct pocket *s = f->pocket;
    double spread = sqrt((1.0 / s->group - 1.0 / (double)s->lines) * load);
    double step = 0.5, sum = 0;
    double most = 4 + THETA * spread;

    if (load > slots_of(f) + 8 + 4 * spread)
        return 1;
    if (fits(s, all, most)) /* then the keys of every group fit */
        return 0;
    for (double z = -4; z <= most; z += step)
        if (load + spread * z > 0 && !fits(s, all, z))
            sum += exp(-z * z / 2) * lost_at(f, load + spread * z);
    return fmin(1, sum * step / sqrt(2 * PI));
}

/*
 * A key is lost once as many pushes and hits came in front of it as its line
 * has slots.  With one choice all of them are Poisson; with two choices pushes
 * are evenly spread, and only hits are Poisson.  A lost key may still be called
 * a repeat, by a false drop.
 */
static double false_pass(const struct finite *f, double keys, double all)
{
    double lines = (double)f->pocket->lines;
    double pushes = keys / lines * (1 - f->drop);

    if (f->pocket->choices == 1)
        return (1 - f->drop) *
               fr_poisson_tail(pushes * (1 + hits_per_push(f)), slots_of(f));
    return (1 - f->drop) * lost_in_any(f, pushes, all / lines);
}

/* Returns the largest width at which a line has room for that many keys. */
static double width_at(const struct pocket *s, double load)
{
    unsigned level = 0;

    while (level + 1 < s->levels && s->slots[level] < load)
        level++;
    return s->width[level];
}

/* By record t of a finite stream, the keys so far fill the lines evenly. */
static double finite_false_drop(const void *filter, double t)
{
    const struct finite *f = filter;
    const struct pocket *s = f->pocket;
    double keys = fr_distinct(t, f->universe), mean, sum = 0;

    mean = keys / (double)s->lines;
    if (s->choices == 2) {
        mean = fmin(mean, s->slots[s->levels - 1]);
        return false_drop(s, mean, width_at(s, mean + 1));
    }
    for (unsigned n = 0; n <= s->slots[s->levels - 1]; n++) {
        double share =
            fr_poisson_tail(mean, n) -
            (n < s->slots[s->levels - 1] ? fr_poisson_tail(mean, n + 1) : 0);

        sum += share * false_drop(s, n, width_at(s, n));
    }
    return sum;
}

static double finite_false_pass(const void *filter, double t, double gap)
{
    const struct finite *f = filter;

    return false_pass(f, fr_distinct(gap, f->universe),
                      fr_distinct(t, f->universe));
}

void fr_pocket_expect(const void *state, const freshet_workload *w,
                      freshet_rates *rates)
{
    const struct pocket *s = state;
    unsigned last = s->levels - 1;
    double window = s->timed ? 0 : (double)s->length;
    struct finite f = {.pocket = s};
    struct fr_course course = {&f, finite_false_drop, finite_false_pass};

    rates->theory = s->choices == 1
                        ? "P(Poisson(gap/lines) >= slots); slots / 2^width"
                        : "1.4 e^(1.594 (gap/lines - slots)), averaged as in "
                          "doc/pocket.md; 2 slots / 2^width";
    rates->drop_bound =
        fr_pocket_drop_bound(s->choices, s->slots[last], s->width[last]);
    rates->false_drop = f.drop = false_drop(s, s->slots[last], s->width[last]);
    rates->reach = fr_reach(&course);
    if (window > 0)
        rates->reach = fmin(rates->reach, window);
    if (w->distinct) {
        f.universe = w->records ? (double)w->distinct : 0;
        fill_table(&f);
        fr_average(&course, w, rates);
        return;
    }
    rates->false_pass = false_pass(&f, (double)w->gap, (double)INFINITY);
    if (window > 0 && (double)w->span > window * 9 / 8)
        rates->false_pass = 1 - rates->false_drop;
}
