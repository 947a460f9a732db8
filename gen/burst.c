/*
 * burst.c - retry storms
 *
 * The stream has new records for a while; then something downstream fails, and
 * the latest records are all sent again, several times, each time in another
 * order.  The number of new records between storms has an exponential
 * distribution.
 */
#include "dice.h"
#include "exact_math.h"
#include "kind.h"

#define MOST (UINT64_C(1) << 40)

struct burst {
    uint64_t seed, draws;
    double calm; /* scale that gives the requested mean after rounding up */
    uint64_t clients, retries;
    uint64_t fresh;            /* the next new key */
    uint64_t quiet;            /* new records before the next storm */
    uint64_t round;            /* rounds left of the storm; 0: no storm */
    uint64_t width;            /* records that a round sends again */
    uint64_t at, stride, left; /* position in the round; records left */
};

static uint64_t next_random(struct burst *s)
{
    return dice_at(s->seed, s->draws++);
}

static void start_quiet(struct burst *s)
{
    s->quiet = 1 + (uint64_t)(-real_log(dice_real(next_random(s))) * s->calm);
}

static void begin_round(struct burst *s)
{
    s->left = s->width;
    s->at = dice_below(next_random(s), s->width);
    do
        s->stride = 1 + dice_below(next_random(s), s->width);
    while (dice_common_divisor(s->stride, s->width) != 1);
}

static void begin_storm(struct burst *s)
{
    s->round = s->retries;
    s->width = s->clients < s->fresh ? s->clients : s->fresh;
    begin_round(s);
}

static uint64_t send_again(struct burst *s)
{
    uint64_t key = s->fresh - 1 - s->at;

    /* A storm has a key at least.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    s->at = (s->at + s->stride) % s->width;
    if (--s->left == 0 && --s->round)
        begin_round(s);
    else if (s->round == 0)
        start_quiet(s);
    return key;
}

static uint64_t send_new(struct burst *s)
{
    uint64_t key = s->fresh++;

    if (--s->quiet == 0)
        begin_storm(s);
    return key;
}

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct burst *s = state;
    double calm = (double)p->calm;

    if (p->calm > MOST || p->clients > MOST || p->retries > MOST) {
        fault_set(why, "calm, clients and retries must be at most 2^40");
        return -1;
    }
    s->seed = dice_seed(p->seed, 0);
    s->calm = p->calm > 1 ? -1 / real_log1p(-1 / calm) : 0;
    s->clients = p->clients;
    s->retries = p->retries;
    start_quiet(s);
    about->knows_truth = true;
    about->universe = p->records;
    if (p->records) /* the mean over many storms */
        about->distinct = (double)p->records * calm /
                          (calm + (double)p->clients * (double)p->retries);
    return 0;
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    struct burst *s = state;

    (void)first;
    for (size_t i = 0; i < n; i++) {
        uint8_t again = s->round != 0;

        key[i] = again ? send_again(s) : send_new(s);
        if (repeat)
            repeat[i] = again;
    }
}

const struct gen_kind gen_burst = {
    .name = "burst",
    .summary = "new keys, and storms in which the latest are sent again",
    .takes = "calm clients retries",
    .size = sizeof(struct burst),
    .start = start,
    .next = next,
};
