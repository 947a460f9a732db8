/*
 * pocket_generations.c - the clock of a pocket filter with a window
 *
 * A window is eight generations, of records or of time.  A filter and each of
 * its parts have their own clocks.  Clocks that were given the same times or
 * records reach the same generation, and together they have swept the same
 * lines.
 */
#include "pocket_age.h"

static struct fr_pocket_range in_both(struct fr_pocket_range a, uint64_t first,
                                      uint64_t end)
{
    return (struct fr_pocket_range){a.first > first ? a.first : first,
                                    a.end < end ? a.end : end};
}

/* Rewrites the ages of some lines as of now. */
static void renew(const struct pocket *s, struct fr_pocket_range lines,
                  uint64_t now)
{
    for (uint64_t i = lines.first; i < lines.end; i++) {
        uint64_t *word = fr_line(s, i) + FR_AGE_WORD;
        struct fr_age age = fr_age_read(*word, now);

        *word = fr_age_write(&age, now);
    }
}

/*
 * Lines store 16 bits of the generation in which they were written, so every
 * line must be rewritten within 65,536 generations: with each generation the
 * sweep renews one line in 32,768.
 */
static void advance(const struct pocket *s, struct fr_pocket_live *live,
                    struct fr_pocket_range range, uint64_t n)
{
    uint64_t share, run;

    /* After nine generations everything has expired, however far the clock
       jumps. */
    n = n < FR_AGE_DEAD ? n : FR_AGE_DEAD;
    live->generation += n;
    for (share = n * (s->lines / 32768 + 1); share; share -= run) {
        run = s->lines - live->hand;
        run = share < run ? share : run;
        renew(s, in_both(range, live->hand, live->hand + run),
              live->generation);
        live->hand += run;
        if (live->hand == s->lines)
            live->hand = 0;
    }
}

static uint64_t epoch_at(const struct pocket *s, uint64_t now)
{
    return (uint64_t)((fr_u128)now * FR_POCKET_SPAN / s->length);
}

void fr_pocket_tick(const struct pocket *s, struct fr_pocket_live *live,
                    struct fr_pocket_range range, uint64_t now)
{
    uint64_t passed;

    if (!s->timed)
        return;
    passed = epoch_at(s, now) - live->epoch;
    live->epoch += passed;
    advance(s, live, range, passed);
}

uint64_t fr_pocket_turn(const struct pocket *s, uint64_t now)
{
    fr_u128 end;

    if (!s->timed)
        return UINT64_MAX;
    end = ((fr_u128)epoch_at(s, now) + 1) * s->length + FR_POCKET_SPAN - 1;
    end /= FR_POCKET_SPAN;
    return end < UINT64_MAX ? (uint64_t)end : UINT64_MAX;
}

uint64_t fr_pocket_room(const struct pocket *s,
                        const struct fr_pocket_live *live)
{
    if (!s->length || s->timed)
        return UINT64_MAX;
    if (live->within >=
        s->length) /* a damaged block: the next record ends the generation */
        return 1;
    return (s->length - live->within - 1) / FR_POCKET_SPAN + 1;
}

void fr_pocket_pass(const struct pocket *s, struct fr_pocket_live *live,
                    struct fr_pocket_range range, uint64_t records)
{
    uint64_t room = fr_pocket_room(s, live);

    if (room == UINT64_MAX)
        return;
    for (; records >= room; room = fr_pocket_room(s, live)) {
        live->within += room * FR_POCKET_SPAN;
        /* More than one generation at once if a window is shorter than eight
           records. */
        advance(s, live, range, live->within / s->length);
        live->within %= s->length;
        records -= room;
    }
    live->within += records * FR_POCKET_SPAN;
}
