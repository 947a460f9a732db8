/*
 * pocket.c - lines of fingerprints, newest first: our default filter
 *
 * A pocket is one 64-byte line used as a stack of short fingerprints.  A key
 * has two candidate lines in one 4 KiB page.  If either holds its fingerprint
 * the key is seen, and the fingerprint moves to the front of its line.  If
 * not, it is pushed onto the less loaded of the two, and only when that line
 * is full does its oldest fall off.  No random numbers, no pointers, no
 * sweeper: two filters offered the same keys are the same, byte for byte.
 *
 * Ingredients known from elsewhere: two choices between blocks (Pandey et
 * al., "Vector quotient filters", SIGMOD 2021), queues of fingerprints in
 * rows (Geraud, Lombard-Platet and Naccache, "Quotient hash tables", 2019).
 * Ours are:
 *
 * Elastic width.  A line begins with 64-bit fingerprints and narrows all of
 * its own only when it needs another slot, down to the width that the wanted
 * false-drop rate allows.  From then on it forgets.  So the filter is as good
 * as exact while memory suffices and never forgets before it must.
 *
 * Refresh on hit.  A new key that is falsely called a repeat is not stored:
 * it lives on the fingerprint it was mistaken for.  Moving that to the front
 * keeps it as long as the key itself would have been kept.
 *
 * An age word.  With a window, each line knows the generation of each of its
 * slots in 44 bits (pocket_age.h), eight generations to a window.  Slots
 * expire when looked at: none before the window is over, all by one eighth
 * after it.
 *
 * Cost: two lines read, one written.  Layout: pocket_line.h and doc/pocket.md.
 */
#include "pocket/pocket.h"

#include <math.h>
#include <string.h>

#include "cpu.h"
#include "huge_pages.h"
#include "parts/batched.h"
#include "parts/sample.h"
#include "pocket/pocket_age.h"
#include "pocket/pocket_view.h"
#include "theory/pocket_theory.h"

enum { WIDTH, CHOICES, REFRESH, END };
static const freshet_parameter pocket_params[] = {
    [WIDTH] = {"width", 0, 64, 0, 1, NULL,
               "least bits per fingerprint, 8 to 56 or 64; 0: from the rate"},
    [CHOICES] = {"choices", 1, 2, 2, 1, NULL,
                 "lines a key may be in: 2, or 1 for speed"},
    [REFRESH] = {"refresh", 0, 1, 1, 1, NULL,
                 "1: a window begins at the last occurrence; 0: at the first"},
    [END] = {0},
};

/* ---- Layout ----------------------------------------------------------- */

/* Returns the number of slots of a width in a line; an age word takes the room
   of some. */
static unsigned slots_of(unsigned width, bool window)
{
    unsigned slots = (window ? FR_AGE_STACK : FR_PLAIN_STACK) / width;

    return window && slots > FR_AGE_SLOTS ? FR_AGE_SLOTS : slots;
}

static unsigned least_width(double wanted, unsigned choices, bool window)
{
    unsigned width = 8;

    while (width <= 56 && fr_pocket_drop_bound(choices, slots_of(width, window),
                                               width) > wanted)
        width++;
    return width <= 56 ? width : 64;
}

/* Sets the widths from 64 bits down to the last one, and skips widths that gain
   no slot. */
static void set_widths(struct pocket *s, unsigned last, bool window)
{
    static const uint8_t steps[] = {FR_FIRST_WIDTH, 48, 32, 24, 16, 12, 10, 8};
    uint32_t n = 0;

    for (size_t i = 0; i < sizeof steps && steps[i] > last; i++) {
        unsigned slots = slots_of(steps[i], window);

        if (slots < slots_of(last, window) && (!n || slots > s->slots[n - 1])) {
            s->width[n] = steps[i];
            s->slots[n++] = (uint8_t)slots;
        }
    }
    s->width[n] = (uint8_t)last;
    s->slots[n++] = (uint8_t)slots_of(last, window);
    s->levels = n;
    s->settled = n > 1 ? s->slots[n - 2] + 1u : 0;
}

/*
 * A large filter has groups of 64 lines, which are pages.  A small filter has
 * smaller groups, so that rounding down to whole groups wastes at most a
 * sixteenth.
 */
static void set_lines(struct pocket *s, uint64_t bytes, uint64_t most)
{
    uint64_t lines;

    s->first = sizeof *s;
    if (bytes >= 1 << 16) /* the first line begins a page of the block */
        s->first = 4096 - sizeof(uint64_t[32]);
    lines = (bytes - s->first) / 64;
    if (lines > most)
        lines = most;
    s->group = 1;
    if (s->choices == 2)
        for (s->group = 64; s->group > 2 && lines / s->group < 16;)
            s->group /= 2;
    s->lines = lines / s->group * s->group;
    if (s->lines == 0) /* does not fit: the caller reports that */
        s->lines = s->group;
}

static size_t pocket_plan(void *state, const struct fr_goal *goal)
{
    struct pocket *s = state;
    double *param = goal->param;
    bool window = goal->window || goal->within;
    uint64_t span = goal->window ? goal->window : goal->within;

    s->choices = fr_u32(param[CHOICES]);
    s->refresh = fr_u32(param[REFRESH]);
    s->timed = goal->within != 0;
    s->length = span;
    if (param[WIDTH] == 0)
        param[WIDTH] = least_width(goal->false_drop, s->choices, window);
    set_widths(s, fr_u32(param[WIDTH]), window);
    /* One line per record of a window is already as good as exact. */
    set_lines(s, goal->bytes,
              goal->window > 64  ? goal->window
              : goal->window > 0 ? 64
                                 : UINT64_MAX);
    return s->first + s->lines * 64;
}

static bool widths_make_sense(const struct pocket *s)
{
    struct pocket again = {0};

    if (s->levels < 1 || s->levels > FR_POCKET_LEVELS)
        return false;
    if (s->width[s->levels - 1] < 8 || s->width[s->levels - 1] > 64)
        return false;
    set_widths(&again, s->width[s->levels - 1], s->length != 0);
    return again.levels == s->levels && again.settled == s->settled &&
           memcmp(again.width, s->width, sizeof again.width) == 0 &&
           memcmp(again.slots, s->slots, sizeof again.slots) == 0;
}

static bool pocket_check(const void *state, size_t bytes)
{
    const struct pocket *s = state;
    unsigned last;

    for (size_t i = 0; i < sizeof s->unused / sizeof *s->unused; i++)
        if (s->unused[i])
            return false;
    if (!widths_make_sense(s))
        return false;
    last = s->width[s->levels - 1];
    return (last <= 56 || last == 64) && s->choices >= 1 && s->choices <= 2 &&
           s->refresh <= 1 && s->timed <= 1 && (s->length || !s->timed) &&
           s->group >= s->choices && s->group <= 64 &&
           (s->group & (s->group - 1)) == 0 && s->first >= sizeof *s &&
           s->first % 64 == 0 && s->first < bytes &&
           s->lines == (bytes - s->first) / 64 &&
           (bytes - s->first) % 64 == 0 && s->lines >= s->group &&
           s->lines % s->group == 0;
}

static bool pocket_check_live(const void *state, size_t bytes)
{
    const struct pocket *s = state;

    (void)bytes;
    return s->live.hand < s->lines;
}

/* ---- Which code path -------------------------------------------------- */

const struct fr_pocket_path *const *fr_pocket_paths(void)
{
#if defined(__x86_64__)
    static const struct fr_pocket_path *const all[] = {&fr_pocket_avx512,
                                                       &fr_pocket_avx2,
                                                       &fr_pocket_sse2,
                                                       &fr_pocket_portable,
                                                       NULL};

    return all + (fr_cpu_has_avx512() ? 0 : fr_cpu_has_avx2() ? 1 : 2);
#elif defined(__aarch64__)
    static const struct fr_pocket_path *const all[] = {&fr_pocket_neon,
                                                       &fr_pocket_portable,
                                                       NULL};

    return all;
#else
    static const struct fr_pocket_path *const all[] = {&fr_pocket_portable,
                                                       NULL};

    return all;
#endif
}

static size_t pocket_offer(void *state, const freshet_hash *keys, size_t n,
                           uint8_t *seen)
{
    return fr_pocket_offer(fr_pocket_paths()[0], state, keys, n, seen);
}

static size_t pocket_query(const void *state, const freshet_hash *keys,
                           size_t n, uint8_t *seen)
{
    const struct pocket *s = state;

    return fr_pocket_paths()[0]->query(s, &s->live, keys, n, seen);
}

static void pocket_tick(void *state, uint64_t now)
{
    struct pocket *s = state;

    fr_pocket_tick(s, &s->live, (struct fr_pocket_range){0, s->lines}, now);
}

/* ---- Rare operations -------------------------------------------------- */

bool fr_pocket_forget(const struct pocket *s, struct fr_pocket_live *live,
                      freshet_hash key)
{
    struct fr_pair p = fr_pair_at(fr_place_of(s, s->choices), key, s->choices);

    for (unsigned i = 0; i < s->choices; i++) {
        struct fr_view v = fr_view_of(s, p.line[i], live->generation);
        uint64_t found = fr_line_find_plain(v.line, fr_print(key.lo, v.width),
                                            v.width, v.slots);
        unsigned q;

        if (!found)
            continue;
        q = (unsigned)__builtin_ctzll(found);
        fr_line_remove(v.line, q, v.width, v.slots);
        if (v.has_age) {
            fr_age_remove(&v.age, q);
            v.line[FR_AGE_WORD] = fr_age_write(&v.age, live->generation);
        }
        live->taken++;
        return true;
    }
    return false;
}

static void pocket_prefetch(const void *state, const freshet_hash *keys,
                            size_t n)
{
    const struct pocket *s = state;
    struct fr_place at = fr_place_of(s, s->choices);

    for (size_t i = 0; i < n; i++) {
        struct fr_pair p = fr_pair_at(at, keys[i], s->choices);

        FR_PREFETCH(p.line[0]);
        FR_PREFETCH(p.line[1]);
    }
}

static void pocket_lines(void *state, freshet_hash key, uint64_t *lines[2])
{
    const struct pocket *s = state;
    struct fr_place at = fr_place_of(s, s->choices);
    struct fr_pair p = fr_pair_at(at, key, s->choices);

    lines[0] = p.line[0];
    lines[1] = p.line[1];
}

static size_t pocket_forget(void *state, const freshet_hash *keys, size_t n)
{
    struct pocket *s = state;
    size_t gone = 0;

    for (size_t i = 0; i < n; i++)
        gone += fr_pocket_forget(s, &s->live, keys[i]);
    return gone;
}

static void pocket_sample(const void *state, uint64_t step, freshet_info *info)
{
    const struct pocket *s = state;
    const struct fr_pocket_live *live = &s->live;
    uint64_t kept = live->pushed - live->taken, lines = 0;
    double drop = 0;

    for (uint64_t i = 0; i < s->lines; i = fr_sample_next(i, step)) {
        struct fr_view v = fr_view_of(s, fr_line(s, i), s->live.generation);
        unsigned used = 0;

        for (unsigned q = 0; q < v.slots; q++)
            used += fr_line_get(v.line, q, v.width) != 0;
        info->used += used;
        drop += used * exp2(-(double)v.width);
        lines++;
    }
    if (step > 1)
        info->used =
            fr_u64((double)info->used / (double)lines * (double)s->lines);
    if (step > 1 && !s->length && info->used > kept)
        info->used = kept;
    info->slots = s->lines * s->slots[s->levels - 1];
    info->false_drop = fr_pocket_false_drop(s, drop / (double)lines);
    info->forgotten = s->length   ? live->forgotten
                      : step == 1 ? kept - info->used
                                  : FRESHET_UNKNOWN; /* not by a difference */
}

static void pocket_inspect(const void *state, freshet_info *info)
{
    pocket_sample(state, 1, info);
}

const struct fr_algo fr_pocket = {
    .about = {.name = "pocket",
              .title = "lines of fingerprints, newest first",
              .paper = "freshet's own, see doc/pocket.md",
              .can = FRESHET_CAN_FORGET | FRESHET_CAN_MERGE |
                     FRESHET_CAN_WINDOW | FRESHET_CAN_WITHIN |
                     FRESHET_CAN_PROMISE | FRESHET_CAN_SPLIT},
    .id = FR_ID('p', 'k', 't', '1'),
    .params = pocket_params,
    .head = offsetof(struct pocket, live),
    .base = sizeof(struct pocket),
    .plan = pocket_plan,
    .check = pocket_check,
    .check_live = pocket_check_live,
    .offer = pocket_offer,
    .query = pocket_query,
    .prefetch = pocket_prefetch,
    .lines = pocket_lines,
    .inspect = pocket_inspect,
    .sample = pocket_sample,
    .expect = fr_pocket_expect,
    .tick = pocket_tick,
    .forget = pocket_forget,
    .merge = fr_pocket_merge,
    .split = &fr_pocket_split,
};
