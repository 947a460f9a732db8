/*
 * audit.c - measures the error rates of a filter on its own stream
 */
#include "audit.h"

#include <math.h>
#include <stdlib.h>

#include "audit_counts.h"
#include "audit_table.h"
#include "dice.h"

enum { MADE_UP_FIRST = 1024, MADE_UP_EVERY = 64 };

struct audit {
    struct audit_table table;
    uint64_t seed, now, records;
    struct audit_window window;
    uint64_t edge; /* age from which a record is new */
    bool late;
    uint64_t next_made_up; /* number of the record before which it is due */
    uint64_t made_up, made_up_seen;
    unsigned level; /* level of the sample */
    struct audit_counts counts;
};

struct audit *audit_create(uint64_t bytes, uint64_t seed,
                           struct audit_window window)
{
    struct audit *a = calloc(1, sizeof *a);
    uint64_t length = window.length;

    if (!a || !audit_table_open(&a->table, bytes)) {
        free(a);
        return NULL;
    }
    a->seed = seed;
    a->window = window;
    if (__builtin_add_overflow(length, length / 8 + (length % 8 != 0),
                               &a->edge))
        a->edge = UINT64_MAX;
    return a;
}

void audit_free(struct audit *a)
{
    if (a)
        audit_table_close(&a->table);
    free(a);
}

/* ---- Drawing ---------------------------------------------------------- */

static uint64_t rotate(uint64_t x)
{
    return x << 32 | x >> 32;
}

/* Returns a hash of the key that is independent of its place in filters; never
   0. */
static uint64_t name_of(freshet_hash key)
{
    uint64_t x = dice_mix(key.lo ^ rotate(key.hi));

    return x ? x : 1;
}

static uint64_t draw_of_key(const struct audit *a, uint64_t name)
{
    return dice_mix(name ^ rotate(a->seed));
}

/* Returns the draw of a record, never 0. */
static uint64_t draw_of_record(const struct audit *a, uint64_t number)
{
    uint64_t x =
        dice_mix(dice_mix(a->seed + 1) + number * UINT64_C(0x9e3779b97f4a7c15));

    return x ? x : 1;
}

static bool is_drawn(const struct audit *a, uint64_t draw)
{
    return audit_level_of(draw) >= a->level;
}

/* ---- Making room ------------------------------------------------------ */

/* A key outside its window need not be known: its next record is new in any
   case. */
static bool is_over(const struct audit *a, const struct audit_slot *s)
{
    return a->window.length && a->now - s->since > a->edge;
}

/* Returns whether the record is in the sample, so that repeats of it are
   checked. */
static bool is_record_drawn(const struct audit *a, uint64_t draw)
{
    return draw && is_drawn(a, draw);
}

/* Returns whether the key itself is in the sample. */
static bool is_key_drawn(const struct audit *a, uint64_t name)
{
    return !a->late && is_drawn(a, draw_of_key(a, name));
}

static bool is_wanted(const void *context, const struct audit_slot *s)
{
    const struct audit *a = context;

    return !is_over(a, s) &&
           (is_record_drawn(a, s->draw) || is_key_drawn(a, s->name));
}

/* Makes the table at most half full, so that sweeps are rare. */
static void make_room(struct audit *a)
{
    audit_table_sweep(&a->table, is_wanted, a);
    while (a->table.used > a->table.slots / 2 && a->level < AUDIT_LEVELS - 1) {
        a->level++;
        audit_table_sweep(&a->table, is_wanted, a);
    }
}

/* ---- Judging ---------------------------------------------------------- */

/* Returns whether a window begins only when a record passes, not with every
   record. */
static bool is_from_pass(const struct audit *a)
{
    return a->window.length && !a->window.refresh;
}

/* Counts a record of a drawn key.  Returns whether it is new. */
static bool judge_new(struct audit *a, const struct audit_slot *s,
                      uint64_t name, int verdict)
{
    struct audit_group *g = audit_group_of(&a->counts, draw_of_key(a, name));
    bool is_new = !s->name || is_over(a, s);

    g->fresh += is_new;
    g->dropped += is_new && verdict == FRESHET_SEEN;
    return is_new;
}

/* Counts a record after one that was drawn: a repeat, unless that one is too
   old. */
static void judge_repeat(struct audit *a, const struct audit_slot *s,
                         int verdict)
{
    struct audit_group *g = audit_group_of(&a->counts, s->draw);

    if (is_over(a, s))
        return;
    if (a->window.length && a->now - s->since > a->window.length) {
        g->either++;
        return;
    }
    g->repeats++;
    g->passed += verdict == FRESHET_NEW;
}

/* Begins a window with a record of this draw; 0: it was dropped. */
static void begin_window(struct audit *a, struct audit_slot *s, uint64_t name,
                         uint64_t draw, bool key_drawn)
{
    if (!key_drawn && !is_record_drawn(a, draw)) {
        if (s->name)
            audit_table_remove(&a->table, s);
        return;
    }
    if (!s->name)
        audit_table_add(&a->table, s, name);
    s->since = a->now;
    s->draw = draw;
    if (audit_table_is_full(&a->table))
        make_room(a);
}

static void count_verdict(struct audit *a, int verdict, uint64_t draw)
{
    a->counts.seen += verdict == FRESHET_SEEN;
    a->counts.passes += verdict == FRESHET_NEW;
    audit_group_of(&a->counts, draw)->passes += verdict == FRESHET_NEW;
}

void audit_record(struct audit *a, freshet_hash key, int verdict, uint64_t now)
{
    uint64_t name = name_of(key), draw = draw_of_record(a, a->records++);
    bool key_drawn = is_key_drawn(a, name), is_new = false;
    struct audit_slot *s = audit_table_find(&a->table, name);

    a->now = now > a->now ? now : a->now;
    count_verdict(a, verdict, draw);
    if (s->name && is_record_drawn(a, s->draw))
        judge_repeat(a, s, verdict);
    if (key_drawn)
        is_new = judge_new(a, s, name, verdict);
    if (!is_from_pass(a) || verdict == FRESHET_NEW)
        begin_window(a, s, name, draw, key_drawn);
    else if (is_new || (s->name && is_over(a, s)))
        begin_window(a, s, name, 0, key_drawn);
}

/* ---- Made-up keys ----------------------------------------------------- */

void audit_begin_late(struct audit *a)
{
    a->late = true;
}

uint64_t audit_until_made_up(const struct audit *a)
{
    return a->late ? a->next_made_up - a->records : UINT64_MAX;
}

/* Returns a 128-bit hash that no record has. */
freshet_hash audit_made_up(const struct audit *a)
{
    uint64_t lo = dice_mix(a->seed ^ dice_mix(a->next_made_up + 1));

    return (freshet_hash){lo, dice_mix(lo + 1)};
}

void audit_record_made_up(struct audit *a, int verdict)
{
    a->made_up++;
    a->made_up_seen += verdict == FRESHET_SEEN;
    a->next_made_up += a->next_made_up < MADE_UP_FIRST ? 1 : MADE_UP_EVERY;
}

/* ---- Reporting -------------------------------------------------------- */

static struct audit_rate passes_of(const struct audit *a,
                                   const struct audit_group *sum)
{
    if (!is_from_pass(a))
        return audit_counts_passes(sum);
    return audit_counts_ratio(sum, &a->counts);
}

void audit_get_report(const struct audit *a, struct audit_report *out)
{
    struct audit_group sum[AUDIT_GROUPS];

    audit_counts_sum(&a->counts, a->level, sum);
    *out = (struct audit_report){
        .false_drop = a->late ? audit_rate_of(a->made_up_seen, a->made_up)
                              : audit_counts_drops(sum, a->window.length != 0),
        .false_pass = passes_of(a, sum),
        .either = audit_counts_either(sum),
        .keys = a->table.used,
        .share = ldexp(1, -(int)a->level),
    };
    out->false_drop.of = a->late ? "made-up keys" : "new records";
    out->false_pass.of = "repeats";
}
