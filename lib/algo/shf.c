/*
 * shf.c - short hash filter: a ring of the last w short hashes
 *
 * After R. Geraud, M. Lombard-Platet and D. Naccache, "Approaching optimal
 * duplicate detection in a sliding window", arXiv:2005.04740.  We could read
 * the abstract only: the ring, its index and hashes of about 2 log2 w + c bits
 * are as recalled.  Everything else here is our own.
 *
 * The hashes of the last w records lie in a ring; a key is seen when its hash
 * is among them, which an index (chained_index.h) finds.  A repeat moves its
 * hash to its own place and empties the old place, so that the index holds
 * every hash once and stays fast however often a key comes.
 *
 *     | w hashes, zero for an empty place | index over them |
 *
 * So there is no false pass inside the window, and beyond it a key is seen only
 * by chance.  A false drop has probability w / 2^bits: a rate e needs log2(w /
 * e) bits, the recalled size at e = 1 / w.  If the window is given, hashes get
 * all the memory.
 */
#include <math.h>

#include "algo.h"
#include "parts/batched.h"
#include "parts/chained_index.h"
#include "theory/theory.h"

struct shf {
    struct fr_chains chains; /* n is the window */
    uint32_t bits, unused;   /* bits of a hash */
    uint64_t cursor;         /* live from here: the next place to write */
    uint64_t pad[4];
    uint64_t cell[];
};
_Static_assert(sizeof(struct shf) == 64, "part of the format");

enum { BITS, END };
static const freshet_parameter shf_params[] = {
    [BITS] = {"bits", 0, FR_SLOT_BITS, 0, 1, NULL,
              "bits of a hash; 0: from the rate, or all that fit"},
    [END] = {0},
};

/* ---- Theory ----------------------------------------------------------- */

struct law {
    double window, kinds;
    double universe; /* keys of a finite stream; 0: each key comes once */
};

static struct law law_of(const struct shf *s)
{
    return (struct law){(double)s->chains.n, (double)fr_slot_max(s->bits), 0};
}

static double any_of(double hashes, double kinds)
{
    return -expm1(hashes * log1p(-1 / kinds));
}

static double shf_false_drop(const void *law, double t)
{
    const struct law *l = law;
    double keys = fr_distinct(fmin(t, l->window), l->universe);

    return any_of(keys, l->kinds);
}

/* A repeat at gap g comes g + 1 records later, or g records later in
   fr_average(). */
static double shf_false_pass(const void *law, double t, double gap)
{
    const struct law *l = law;

    return gap < l->window ? 0 : 1 - shf_false_drop(law, t);
}

static void shf_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    const struct shf *s = state;
    struct law l = law_of(s);
    struct fr_course course = {&l, shf_false_drop, shf_false_pass};

    if (w->published) /* the paper's formulas were not available */
        return;
    rates->theory = "an exact window of hashes, each equal with 2^-bits";
    rates->reach = l.window - 1;
    rates->false_drop = shf_false_drop(&l, l.window);
    rates->false_pass = shf_false_pass(&l, l.window, (double)w->span);
    if (!w->distinct)
        return;
    l.universe = w->records ? (double)w->distinct : 0;
    fr_average(&course, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

/* Returns the size of ring and index in words: at least a cache line, as every
   state has. */
static uint64_t words_of(const struct fr_chains *c, unsigned bits)
{
    uint64_t words = fr_slots_words(c->n, bits) + fr_chains_words(c);

    return words < 8 ? 8 : words;
}

/* Returns the longest window for hashes of this width, at least one record. */
static uint64_t longest(uint64_t words, unsigned bits)
{
    uint64_t best = 1;

    for (unsigned width = 1; width <= 51; width++) {
        /* Four words are reserved: two packed arrays round up. */
        uint64_t n = (words - 4) * 64 / (bits + 2 * width);

        n = n < fr_slot_max(width) ? n : fr_slot_max(width);
        best = n > best ? n : best;
    }
    return best;
}

/* Chooses the fewest bits that keep to the rate, and the longest window that
   fits with them. */
static void fit_window(struct shf *s, uint64_t words, double rate)
{
    unsigned bits = s->bits ? s->bits : 2;

    s->chains.n = longest(words, bits);
    while (!s->bits && bits < FR_SLOT_BITS &&
           any_of((double)s->chains.n, (double)fr_slot_max(bits)) > rate)
        s->chains.n = longest(words, ++bits);
    s->bits = bits;
}

/* Chooses at least the bits that the rate needs, and as many as fit. */
static void fit_bits(struct shf *s, uint64_t words, double rate)
{
    unsigned bits = 2;

    while (bits < FR_SLOT_BITS &&
           (words_of(&s->chains, bits + 1) <= words ||
            any_of((double)s->chains.n, (double)fr_slot_max(bits)) > rate))
        bits++;
    s->bits = bits;
}

static size_t shf_plan(void *state, const struct fr_goal *goal)
{
    struct shf *s = state;
    uint64_t words = (goal->bytes - sizeof *s) / 8;

    s->bits = fr_u32(goal->param[BITS]);
    s->chains.n = goal->window;
    s->chains.width = fr_slot_width(goal->window);
    if (!goal->window)
        fit_window(s, words, goal->false_drop);
    else if (!s->bits)
        fit_bits(s, words, goal->false_drop);
    goal->param[BITS] = s->bits;
    s->chains.width = fr_slot_width(s->chains.n);
    return sizeof *s + words_of(&s->chains, s->bits) * 8;
}

static bool shf_check(const void *state, size_t bytes)
{
    const struct shf *s = state;

    return s->bits >= 2 && s->bits <= FR_SLOT_BITS && s->unused == 0 &&
           fr_chains_check(&s->chains, bytes) &&
           sizeof *s + words_of(&s->chains, s->bits) * 8 == bytes;
}

/* ---- The filter ------------------------------------------------------- */

static uint64_t hash_at(const struct shf *s, uint64_t i)
{
    return fr_slot_get(s->cell, i - 1, s->bits);
}

/* Buckets are in the order of hashes. */
static uint64_t bucket_of(const struct shf *s, uint64_t hash)
{
    return fr_reduce(hash << (64 - s->bits), s->chains.n);
}

static const uint64_t *index_of(const struct shf *s)
{
    return s->cell + fr_slots_words(s->chains.n, s->bits);
}

static uint64_t *index_in(struct shf *s)
{
    return s->cell + fr_slots_words(s->chains.n, s->bits);
}

/* Returns any value but zero, which marks an empty place. */
static uint64_t hash_of(const struct shf *s, freshet_hash key)
{
    return fr_reduce(key.lo, fr_slot_max(s->bits)) + 1;
}

static uint64_t bucket_at(const void *state, uint64_t i)
{
    const struct shf *s = state;
    uint64_t hash = hash_at(s, i);

    return hash ? bucket_of(s, hash) : s->chains.n;
}

static bool shf_check_live(const void *state, size_t bytes)
{
    const struct shf *s = state;

    (void)bytes;
    return s->cursor < s->chains.n &&
           fr_chains_hold(&s->chains, index_of(s),
                          fr_slots_used(s->cell, s->chains.n, s->bits), s,
                          bucket_at);
}

/* Returns the place of a hash in the ring, counted from 1, or zero. */
static uint64_t find(const struct shf *s, uint64_t hash)
{
    uint64_t i = fr_chain_first(&s->chains, index_of(s), bucket_of(s, hash));

    while (i && hash_at(s, i) != hash)
        i = fr_chain_next(&s->chains, index_of(s), i);
    return i;
}

/* Empties a place unless it is empty already. */
static void vacate(struct shf *s, uint64_t i)
{
    if (hash_at(s, i) == 0)
        return;
    fr_chain_cut(&s->chains, index_in(s), bucket_at(s, i), i);
    fr_slot_set(s->cell, i - 1, s->bits, 0);
}

static uint8_t shf_probe(const struct shf *s, freshet_hash key)
{
    return find(s, hash_of(s, key)) ? FRESHET_SEEN : FRESHET_NEW;
}

static uint8_t shf_step(struct shf *s, freshet_hash key)
{
    uint64_t hash = hash_of(s, key), found = find(s, hash);
    uint64_t place = s->cursor + 1;

    if (found)
        vacate(s, found);
    vacate(s, place);
    fr_slot_set(s->cell, place - 1, s->bits, hash);
    fr_chain_add(&s->chains, index_in(s), bucket_of(s, hash), place);
    s->cursor = place < s->chains.n ? place : 0;
    return found ? FRESHET_SEEN : FRESHET_NEW;
}

/* The ring is overwritten in order, so that the hash to be removed by then is
   known and can be prefetched. */
static void shf_touch(const struct shf *s, freshet_hash key, uint64_t ahead)
{
    uint64_t place = s->cursor + ahead, bits = s->chains.width, leaving;

    FR_PREFETCH(
        fr_slot_at(index_of(s), bucket_of(s, hash_of(s, key)), (unsigned)bits));
    if (place >= s->chains.n)
        return;
    leaving = bucket_of(s, hash_at(s, place + 1));
    FR_PREFETCH(fr_slot_at(index_of(s), leaving, (unsigned)bits));
}

FR_BATCHED(shf)

static size_t shf_forget(void *state, const freshet_hash *keys, size_t n)
{
    struct shf *s = state;
    size_t found = 0;

    for (size_t k = 0; k < n; k++) {
        uint64_t i = find(s, hash_of(s, keys[k]));

        if (!i)
            continue;
        vacate(s, i);
        found++;
    }
    return found;
}

static void shf_inspect(const void *state, freshet_info *info)
{
    const struct shf *s = state;

    info->slots = s->chains.n;
    info->used = fr_slots_used(s->cell, s->chains.n, s->bits);
    info->false_drop = any_of((double)info->used, (double)fr_slot_max(s->bits));
    if (info->window)
        info->forgotten = 0;
}

const struct fr_algo fr_shf = {
    .about = {.name = "shf",
              .title = "short hash filter",
              .paper = "Geraud, Lombard-Platet and Naccache, 2020",
              .can = FRESHET_CAN_FORGET | FRESHET_CAN_WINDOW |
                     FRESHET_CAN_PROMISE},
    .id = FR_ID('s', 'h', 'f', '1'),
    .params = shf_params,
    .head = offsetof(struct shf, cursor),
    .base = sizeof(struct shf),
    .plan = shf_plan,
    .check = shf_check,
    .check_live = shf_check_live,
    .offer = shf_offer,
    .query = shf_query,
    .inspect = shf_inspect,
    .expect = shf_expect,
    .forget = shf_forget,
};
