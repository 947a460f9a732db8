/*
 * planted.c - new records with repeats planted at chosen gaps
 */
#include "planted.h"

#include "dice.h"

#define MOST (UINT64_C(1) << 48) /* records back */

static double scale_of(const struct planted *s)
{
    if (s->shape == GEN_LOGUNIFORM)
        return real_log((double)(s->gap + 1) / (double)s->least);
    /* Rounded down plus one, its mean is the gap. */
    return s->gap > 1 ? -1 / real_log1p(-1 / (double)s->gap) : 0;
}

/*
 * Converts random numbers to gaps of at least 1, and of at most s->gap for
 * shapes that have a limit.  Each shape has a loop of its own: it takes most of
 * the time.
 */
static void draw_gaps(const struct planted *s, uint64_t *gap, size_t n)
{
    const struct tables *t = &s->tables;
    uint64_t most = s->gap, least = s->least;
    double scale = s->scale;

    switch (s->shape) {
    case GEN_FIXED:
        for (size_t i = 0; i < n; i++)
            gap[i] = most;
        break;
    case GEN_UNIFORM:
        for (size_t i = 0; i < n; i++)
            gap[i] = least + dice_below(gap[i], most - least + 1);
        break;
    case GEN_LOGUNIFORM:
        for (size_t i = 0; i < n; i++) {
            double times = tables_exp(t, dice_share(~gap[i]) * scale);

            gap[i] = (uint64_t)(int64_t)((double)least * times);
            gap[i] = gap[i] < most ? gap[i] : most;
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            double wait = -tables_log(t, dice_real(gap[i])) * scale;

            gap[i] = 1 + (uint64_t)(int64_t)wait;
        }
    }
}

static int check(const struct gen_params *p, struct fault *why)
{
    bool ranges = p->shape == GEN_UNIFORM || p->shape == GEN_LOGUNIFORM;

    if (p->repeats >= 1) {
        fault_set(why,
                  "repeats must be below 1, so that some records are new, not "
                  "%g",
                  p->repeats);
        return -1;
    }
    if (p->gap > MOST) {
        fault_set(why, "gap must be at most 2^48");
        return -1;
    }
    if (p->least > (ranges ? p->gap : 1)) {
        fault_set(why,
                  ranges ? "least must be at most gap"
                         : "least applies only to uniform and loguniform gaps");
        return -1;
    }
    return 0;
}

/*
 * Returns the expected number of different keys.  A repeat of a given gap is
 * possible only after that many records: this is averaged over gaps of equal
 * probability.
 */
static double distinct_of(const struct planted *s, uint64_t records,
                          double repeats)
{
    enum { STEPS = 4096 };
    double chances = 0;

    for (uint64_t i = 0; i < STEPS; i++) {
        uint64_t gap = (2 * i + 1) << 51; /* (i + 1/2) / 4096 */

        draw_gaps(s, &gap, 1);
        if (gap < records)
            chances += (double)(records - gap) / STEPS;
    }
    return (double)records - repeats * chances;
}

int planted_start(void *state, const struct gen_params *p,
                  struct gen_about *about, struct fault *why)
{
    struct planted *s = state;

    if (check(p, why) < 0)
        return -1;
    *s = (struct planted){
        .coins = dice_seed(p->seed, 0),
        .gaps = dice_seed(p->seed, 1),
        .bound = dice_bound(p->repeats),
        .shape = p->shape,
        .gap = p->gap,
        .least = p->least,
    };
    s->scale = scale_of(s);
    tables_fill(&s->tables);
    about->knows_truth = true;
    about->universe = p->records;
    if (p->records)
        about->distinct = distinct_of(s, p->records, p->repeats);
    return 0;
}

static bool is_planted(const struct planted *s, uint64_t i)
{
    return dice_at(s->coins, i) < s->bound;
}

enum { CHUNK = 512 };

/*
 * Follows repeats back to the record that was new, all records of a chunk one
 * step at a time, until none is left.  The list shrinks by arithmetic on the
 * random numbers, without a branch.
 */
static void next_chunk(const struct planted *s, uint64_t first, uint64_t *key,
                       size_t n)
{
    uint16_t list[CHUNK];
    uint64_t gap[CHUNK];
    size_t listed = 0;

    for (size_t i = 0; i < n; i++) {
        key[i] = first + i;
        list[listed] = (uint16_t)i;
        listed += is_planted(s, first + i);
    }
    while (listed) {
        size_t left = 0;

        /* It takes the list for empty: numbers are written up to listed.
           NOLINTBEGIN(clang-analyzer-core.uninitialized.ArraySubscript) */
        for (size_t k = 0; k < listed; k++)
            gap[k] = dice_at(s->gaps, key[list[k]]);
        /* NOLINTEND(clang-analyzer-core.uninitialized.ArraySubscript) */
        draw_gaps(s, gap, listed);
        for (size_t k = 0; k < listed; k++) {
            uint64_t *at = &key[list[k]];
            bool back = gap[k] <= *at; /* else there is no such record: it is
                                          new */

            *at -= gap[k] & -(uint64_t)back;
            list[left] = list[k];
            left += back & is_planted(s, *at);
        }
        listed = left;
    }
}

void planted_next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                  size_t n)
{
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < CHUNK ? n - done : CHUNK;
        next_chunk(state, first + done, key + done, part);
    }
    for (size_t i = 0; repeat && i < n; i++)
        repeat[i] = key[i] != first + i;
}
