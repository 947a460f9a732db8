/*
 * audit.c - how often a filter is wrong on this very stream
 *
 * A key's level is the number of zeros its choosing hash begins with.  After
 * h halvings the sample is the keys of level h and above, so a key that leaves
 * never comes back, and counts kept per level need only be summed from h on.
 */
#include "audit.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 65, LEAST = 64 };

struct slot {
    freshet_hash key; /* all zero: free */
    uint64_t since;   /* when its window began */
};

struct counts {
    uint64_t fresh, repeats, dropped, passed, either;
};

struct audit {
    uint64_t window, edge; /* a repeat up to window, new beyond edge */
    bool refresh;
    const freshet *late; /* the filter, if it knew keys before; else NULL */
    unsigned level;      /* of the sample */
    uint64_t slots, used, full;
    struct counts counts[LEVELS];
    struct slot slot[];
};

struct audit *audit_create(uint64_t bytes, uint64_t window, bool refresh)
{
    uint64_t slots = bytes / sizeof(struct slot);
    struct audit *a;

    slots = slots < LEAST ? LEAST : slots;
    if (slots > (SIZE_MAX / 2) / sizeof(struct slot))
        return NULL;
    a = calloc(1, sizeof *a + slots * sizeof(struct slot));
    if (!a)
        return NULL;
    a->window = window;
    if (__builtin_add_overflow(window, window / 8 + (window % 8 != 0),
                               &a->edge))
        a->edge = UINT64_MAX;
    a->refresh = refresh;
    a->slots = slots;
    a->full = slots / 4 * 3; /* beyond it probing takes its time */
    return a;
}

void audit_begin_late(struct audit *a, const freshet *f)
{
    a->late = f;
}

void audit_free(struct audit *a)
{
    free(a);
}

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Zeros in front of a hash that shares no bits with where filters put keys. */
static unsigned level_of(freshet_hash key)
{
    uint64_t x = mix(key.lo ^ (key.hi << 32 | key.hi >> 32));

    return x ? (unsigned)__builtin_clzll(x) : 64;
}

/* A share of the slots as large as the hash's upper half is of 2^32. */
static uint64_t home_of(const struct audit *a, freshet_hash key)
{
    if (a->slots >> 32)
        return key.lo % a->slots;
    return (key.lo >> 32) * a->slots >> 32;
}

static uint64_t next_of(const struct audit *a, uint64_t i)
{
    return i + 1 == a->slots ? 0 : i + 1;
}

static bool is_free(const struct slot *s)
{
    return !(s->key.lo | s->key.hi);
}

/* Where a key is, or the free slot where it belongs. */
static struct slot *find(struct audit *a, freshet_hash key)
{
    uint64_t i = home_of(a, key);

    while (!is_free(&a->slot[i]) &&
           (a->slot[i].key.lo != key.lo || a->slot[i].key.hi != key.hi))
        i = next_of(a, i);
    return &a->slot[i];
}

/* How far behind its home the slot i of a key is. */
static uint64_t offset_of(const struct audit *a, uint64_t i)
{
    uint64_t home = home_of(a, a->slot[i].key);

    return i >= home ? i - home : i + a->slots - home;
}

/* Free a slot, and move up those behind it that had to give way. */
static void drop(struct audit *a, uint64_t hole)
{
    uint64_t gap = 1;

    for (uint64_t i = next_of(a, hole); !is_free(&a->slot[i]);
         i = next_of(a, i), gap++)
        if (offset_of(a, i) >= gap) {
            a->slot[hole] = a->slot[i];
            hole = i;
            gap = 0;
        }
    a->slot[hole] = (struct slot){{0, 0}, 0};
    a->used--;
}

static uint64_t age_of(const struct slot *s, uint64_t now)
{
    return now > s->since ? now - s->since : 0;
}

/* Of a key out of its window nothing need be known: it is new anyway. */
static bool is_over(const struct audit *a, const struct slot *s, uint64_t now)
{
    return a->window && age_of(s, now) > a->edge;
}

static void sweep(struct audit *a, uint64_t now)
{
    for (uint64_t i = 0; i < a->slots;) {
        const struct slot *s = &a->slot[i];

        if (!is_free(s) && (is_over(a, s, now) || level_of(s->key) < a->level))
            drop(a, i); /* and look at what came in its place */
        else
            i++;
    }
}

/* Half full at most afterwards, so that sweeps are rare. */
static void make_room(struct audit *a, uint64_t now)
{
    sweep(a, now);
    while (a->used > a->slots / 2 && a->level < 64) {
        a->level++;
        sweep(a, now);
    }
}

static void count_known(struct audit *a, struct slot *s, struct counts *c,
                        int verdict, uint64_t now)
{
    uint64_t age = age_of(s, now);

    if (is_over(a, s, now)) {
        c->fresh++;
        c->dropped += verdict == FRESHET_SEEN;
        s->since = now;
        return;
    }
    if (a->window && age > a->window) {
        c->either++;
    } else {
        c->repeats++;
        c->passed += verdict == FRESHET_NEW;
    }
    /* What was let through, rightly or not, began a window. */
    if ((a->refresh || verdict == FRESHET_NEW) && now > s->since)
        s->since = now;
}

/* Nobody's key: a hash of 128 bits that came out of no record. */
static int verdict_on_made_up(const freshet *f, freshet_hash key)
{
    freshet_hash made = {mix(key.hi + 1), mix(key.lo + 2)};
    uint8_t seen;

    (void)freshet_query_batch(f, &made, 1, &seen);
    return seen;
}

void audit_record(struct audit *a, freshet_hash key, int verdict, uint64_t now)
{
    unsigned level;
    struct slot *s;

    key.lo += !(key.lo | key.hi); /* the mark of a free slot is no key */
    level = level_of(key);
    if (level < a->level)
        return;
    s = find(a, key);
    if (!is_free(s)) {
        count_known(a, s, &a->counts[level], verdict, now);
        return;
    }
    if (a->late && a->window && !a->refresh && verdict == FRESHET_SEEN)
        return; /* when its window began is not known */
    if (a->late)
        verdict = verdict_on_made_up(a->late, key);
    a->counts[level].fresh++;
    a->counts[level].dropped += verdict == FRESHET_SEEN;
    *s = (struct slot){key, now};
    if (++a->used > a->full)
        make_room(a, now);
}

struct audit_rate audit_rate_of(uint64_t wrong, uint64_t n)
{
    const double z = 1.959963984540054; /* 95 % of a normal lie within */
    double of = (double)n, p, mid, half;

    if (n == 0)
        return (struct audit_rate){.rate = (double)NAN, .high = 1};
    p = (double)wrong / of;
    mid = (p + z * z / (2 * of)) / (1 + z * z / of);
    half =
        z / (1 + z * z / of) * sqrt(p * (1 - p) / of + z * z / (4 * of * of));
    return (struct audit_rate){
        .wrong = wrong,
        .n = n,
        .rate = p,
        .low = wrong == 0 ? 0 : mid - half,
        .high = wrong == n ? 1 : mid + half,
    };
}

void audit_get_report(const struct audit *a, struct audit_report *out)
{
    struct counts sum = {0};

    for (unsigned level = a->level; level < LEVELS; level++) {
        sum.fresh += a->counts[level].fresh;
        sum.repeats += a->counts[level].repeats;
        sum.dropped += a->counts[level].dropped;
        sum.passed += a->counts[level].passed;
        sum.either += a->counts[level].either;
    }
    *out = (struct audit_report){
        .false_drop = audit_rate_of(sum.dropped, sum.fresh),
        .false_pass = audit_rate_of(sum.passed, sum.repeats),
        .either = sum.either,
        .keys = a->used,
        .share = ldexp(1, -(int)a->level),
    };
    out->false_drop.of = a->late ? "made-up keys" : "new records";
    out->false_pass.of = "repeats";
}
