/*
 * sliding.c - sliding window
 *
 * L. Zhang and Y. Guan, "Detecting click fraud in pay-per-click streams of
 * online advertising networks", ICDCS 2008: the timing Bloom filter.
 *
 * A Bloom filter whose cells hold the time when they were last set instead of a
 * bit.  A key is seen when all its cells were set within the last W records,
 * repeats included: exactly W.  The price is a time stamp of about log2(2W)
 * bits in place of each bit.
 *
 * Time counts records and wraps: stamps are 1 to T = 2^bits - 1, and 0 is an
 * empty cell.  A stamp that is older than W must be cleared before it is T
 * records old and looks young again.  For that a hand sweeps over m / slack
 * cells at each record, with slack = T - 1 - W, so that it reaches each stale
 * cell in time.
 *
 * Departure: the paper adds only keys that are called new.  A key that is
 * falsely dropped is then not stored, and passes later, inside the window:
 * add=always, the default, stamps the cells of every record.
 */
#include <math.h>
#include <string.h>

#include "parts/bloom_bits.h"

struct sliding {
    uint64_t m, window;
    uint64_t sweep; /* cells that the hand sweeps per record */
    uint32_t k;
    uint16_t bits, once;
    uint64_t clock; /* live from here: records so far, modulo T */
    uint64_t hand;
    uint64_t pad[2];
    uint64_t cell[]; /* packed, with a spare word for loads of eight bytes */
};
_Static_assert(sizeof(struct sliding) == 64, "part of the format");

/* A stamp and the seven bits before it must fit into 64 bits. */
enum { MIN_BITS = 3, MAX_BITS = 56, MAX_SWEEP = 64 };

enum { K, SLACK, ADD, END };
static const freshet_parameter sliding_params[] = {
    [K] = FR_BLOOM_K,
    [SLACK] = {"slack", 0.01, 16, 1, 0, NULL,
               "windows that a sweep over all cells takes, at least"},
    [ADD] = FR_BLOOM_ADD,
    [END] = {0},
};

static double sliding_drop(const struct fr_window *w, double t)
{
    return fr_window_joint_drop(w, fmin(t, w->full));
}

static void sliding_expect(const void *state, const freshet_workload *w,
                           freshet_rates *rates)
{
    const struct sliding *s = state;
    struct fr_window law = {.m = (double)s->m,
                            .k = s->k,
                            .period = 1,
                            .full = (double)s->window,
                            .settle = (double)s->window,
                            .once = s->once,
                            .drop = sliding_drop};

    rates->theory = "Bloom, (1 - exp(-kn/m))^k, n the keys of the window";
    fr_window_expect(&law, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

static uint64_t stamps(unsigned bits)
{
    return (UINT64_C(1) << bits) - 1;
}

static uint64_t cells_in(size_t bytes, unsigned bits)
{
    return ((bytes - sizeof(struct sliding)) / 8 - 1) * 64 / bits;
}

/* Returns the longest window for stamps of this width with that slack. */
static double longest(unsigned bits, double slack)
{
    double spare = (double)stamps(bits) - 1;

    return fmin(floor(spare / (1 + slack)), spare - 1);
}

static uint64_t sweep_for(uint64_t m, uint64_t window, unsigned bits)
{
    uint64_t slack = stamps(bits) - 1 - window;

    return m / slack + (m % slack != 0);
}

static unsigned bits_for(uint64_t window, double slack)
{
    unsigned bits = MIN_BITS;

    while (bits < MAX_BITS && longest(bits, slack) < (double)window)
        bits++;
    return bits;
}

/* Returns the longest window that fits: wider stamps allow a longer one, but
   leave fewer cells. */
static uint64_t widest_window(const struct fr_goal *goal, double k)
{
    double best = 1;

    for (unsigned bits = MIN_BITS; bits <= 50; bits++) {
        double m = (double)cells_in(goal->bytes, bits);
        double room = floor(fr_bloom_room(m, k, goal->false_drop));

        best = fmax(best, fmin(room, longest(bits, goal->param[SLACK])));
    }
    return fr_u64(best);
}

static double roomy_k(const struct fr_goal *goal, unsigned bits)
{
    return fr_bloom_k(goal->param[K], (double)cells_in(goal->bytes, bits),
                      (double)goal->window, goal->false_drop);
}

/* With spare memory, wider stamps reduce the work of the hand. */
static bool can_widen(const struct fr_goal *goal, uint64_t window,
                      unsigned bits)
{
    double m = (double)cells_in(goal->bytes, bits + 1);
    double k = roomy_k(goal, bits + 1);

    return bits < MAX_BITS &&
           sweep_for(cells_in(goal->bytes, bits), window, bits) > MAX_SWEEP &&
           fr_bloom_room(m, k, goal->false_drop) >= (double)window;
}

static size_t sliding_plan(void *state, const struct fr_goal *goal)
{
    struct sliding *s = state;
    double *param = goal->param;
    unsigned bits;

    s->window = goal->window;
    if (!s->window)
        s->window = widest_window(goal, roomy_k(goal, MIN_BITS));
    bits = bits_for(s->window, param[SLACK]);
    while (can_widen(goal, s->window, bits))
        bits++;
    param[K] = roomy_k(goal, bits);
    s->bits = (uint16_t)bits;
    s->m = cells_in(goal->bytes, bits);
    s->sweep = sweep_for(s->m, s->window, bits);
    s->k = fr_u32(param[K]);
    s->once = param[ADD] > 0;
    return sizeof *s + (goal->bytes - sizeof *s) / 8 * 8;
}

static bool sliding_check(const void *state, size_t bytes)
{
    const struct sliding *s = state;

    return s->bits >= MIN_BITS && s->bits <= MAX_BITS &&
           s->m == cells_in(bytes, s->bits) && s->k >= 1 &&
           s->k <= FR_BLOOM_MAX_K && s->window >= 1 &&
           s->window < stamps(s->bits) - 1 &&
           s->sweep == sweep_for(s->m, s->window, s->bits) && s->once <= 1;
}

static bool sliding_check_live(const void *state, size_t bytes)
{
    const struct sliding *s = state;

    (void)bytes;
    return s->clock < stamps(s->bits) && s->hand < s->m;
}

/* ---- The filter ------------------------------------------------------- */

static const char *byte_of(const struct sliding *s, uint64_t i)
{
    return (const char *)s->cell + i * s->bits / 8;
}

static uint64_t get(const struct sliding *s, uint64_t i)
{
    uint64_t word;

    memcpy(&word, byte_of(s, i), sizeof word);
    return word >> i * s->bits % 8 & stamps(s->bits);
}

static void put(struct sliding *s, uint64_t i, uint64_t stamp)
{
    char *at = (char *)s->cell + i * s->bits / 8;
    unsigned shift = (unsigned)(i * s->bits % 8);
    uint64_t word;

    memcpy(&word, at, sizeof word);
    word = (word & ~(stamps(s->bits) << shift)) | stamp << shift;
    memcpy(at, &word, sizeof word);
}

static bool is_live(const struct sliding *s, uint64_t stamp)
{
    uint64_t set = stamp - 1, wrap = s->clock < set ? stamps(s->bits) : 0;

    return stamp && s->clock + wrap - set <= s->window;
}

static void sliding_touch(const struct sliding *s, freshet_hash key,
                          uint64_t ahead)
{
    uint64_t hand = s->hand + ahead * s->sweep;

    for (uint32_t i = 0; i < s->k; i++)
        FR_PREFETCH(byte_of(s, fr_bloom_at(s->m, key, i)));
    if (hand < s->m) /* no prefetch at the wrap: hardware prefetching
                        suffices */
        FR_PREFETCH(byte_of(s, hand));
}

static uint8_t sliding_probe(const struct sliding *s, freshet_hash key)
{
    for (uint32_t i = 0; i < s->k; i++)
        if (!is_live(s, get(s, fr_bloom_at(s->m, key, i))))
            return FRESHET_NEW;
    return FRESHET_SEEN;
}

static void wipe(struct sliding *s)
{
    for (uint64_t i = 0; i < s->sweep; i++) {
        uint64_t stamp = get(s, s->hand);

        if (stamp && !is_live(s, stamp))
            put(s, s->hand, 0);
        s->hand = s->hand + 1 < s->m ? s->hand + 1 : 0;
    }
}

static uint8_t sliding_step(struct sliding *s, freshet_hash key)
{
    uint8_t seen = sliding_probe(s, key);

    wipe(s);
    for (uint32_t i = 0; (!seen || !s->once) && i < s->k; i++)
        put(s, fr_bloom_at(s->m, key, i), s->clock + 1);
    s->clock = s->clock + 1 < stamps(s->bits) ? s->clock + 1 : 0;
    return seen;
}

FR_BATCHED(sliding)

static void sliding_inspect(const void *state, freshet_info *info)
{
    const struct sliding *s = state;

    info->slots = s->m;
    info->used = 0;
    for (uint64_t i = 0; i < s->m; i++)
        info->used += is_live(s, get(s, i));
    info->false_drop = pow((double)info->used / (double)s->m, s->k);
    fr_window_inspect(s->once, info);
}

const struct fr_algo fr_sliding = {
    .about = {.name = "sliding",
              .title = "sliding window (timing Bloom filter)",
              .paper = "Zhang and Guan, ICDCS 2008",
              .can = FRESHET_CAN_WINDOW | FRESHET_CAN_PROMISE},
    .id = FR_ID('t', 'b', 'f', '1'),
    .params = sliding_params,
    .head = offsetof(struct sliding, clock),
    .base = sizeof(struct sliding),
    .plan = sliding_plan,
    .check = sliding_check,
    .check_live = sliding_check_live,
    .offer = sliding_offer,
    .query = sliding_query,
    .inspect = sliding_inspect,
    .expect = sliding_expect,
};
