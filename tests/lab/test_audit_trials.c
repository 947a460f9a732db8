/*
 * test_audit_trials.c - how often the audit's intervals contain the truth
 *
 * A trial is a stream, a filter that has too little memory for it, and an
 * audit that has too little memory for all of it.  An exact list of keys tells
 * the run's own rates, and the trial succeeds if the audit's intervals contain
 * them.  At least 88 of 100 trials must: with this many rows and 100
 * trials each even an interval that succeeds 95 times of 100 would miss that in
 * one of them now and then, so --full runs 300.
 *
 * sbf has no window; its verdicts are judged by one all the same, since what is
 * tried is the audit.
 *
 * As a test: 25 trials of short streams, of which 20 must succeed.  With
 * --full: 300 trials, of which 264 must, as "make lab-audit" runs them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "gen.h"

enum { BLOCK = 1024 };

static const struct {
    const char *name, *spec;
    uint64_t memory[2]; /* of pocket and sbf */
} streams[] = {
    {"uniform", "uniform:universe=60000", {65536, 65536}},
    {"Zipf 1.0", "zipf:universe=1e6,s=1", {32768, 32768}},
    {"Zipf 1.2", "zipf:universe=1e6,s=1.2", {8192, 16384}},
    {"bursts", "burst:calm=20000,clients=4000,retries=5", {8192, 16384}},
    {"drift", "drift:universe=50000,s=1.2,step=20", {8192, 16384}},
    {"poisson", "poisson:lambda=50%,mean=1000", {4096, 32768}},
    {"endless", "endless:r=40%,g=40000", {32768, 65536}},
    {"planted gaps",
     "endless:r=40%,g=80000,least=100,shape=loguniform",
     {32768, 65536}},
};
enum { STREAMS = sizeof streams / sizeof *streams };

enum { POCKET, SBF };
static const struct {
    int filter;
    bool window;
    const char *title;
} kinds[] = {
    {POCKET, false, "pocket"},
    {POCKET, true, "pocket, window"},
    {SBF, false, "sbf"},
    {SBF, true, "sbf, window"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct size {
    uint64_t records, window, audit, scale; /* scale divides a filter */
    uint64_t known;                         /* slots of the exact list */
    unsigned trials, needed;
} full_size = {200000, 10000, UINT64_C(24) * 2048, 1, 1 << 19, 300, 264},
  test_size = {20000, 2000, UINT64_C(24) * 512, 8, 1 << 16, 25, 20};

/* ---- The truth -------------------------------------------------------- */

/* What is known of a key, in an open hash table. */
struct known {
    uint64_t key, since;
    bool used, passed;
};

struct truth_list {
    struct known *known;
    uint64_t slots, window;
    uint64_t fresh, dropped, repeats, passed;
};

static struct known *find(const struct truth_list *t, uint64_t key)
{
    uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    while (t->known[i % t->slots].used && t->known[i % t->slots].key != key)
        i++;
    return &t->known[i % t->slots];
}

/* As audit_record() says, with nothing left out. */
static void truth_record(struct truth_list *t, uint64_t key, int verdict,
                         uint64_t now)
{
    struct known *k = find(t, key);
    uint64_t edge = t->window + t->window / 8;
    bool is_new = !k->used || (t->window && now - k->since > edge);

    if (is_new) {
        t->fresh++;
        t->dropped += verdict == FRESHET_SEEN;
    } else if (!t->window || (k->passed && now - k->since <= t->window)) {
        t->repeats++;
        t->passed += verdict == FRESHET_NEW;
    }
    if (is_new || !t->window || verdict == FRESHET_NEW)
        *k = (struct known){key, now, true, verdict == FRESHET_NEW};
}

/* ---- One trial -------------------------------------------------------- */

struct cell {
    unsigned trials, drop, pass;        /* whose interval has the truth */
    double drop_rate, pass_rate, share; /* sums */
    double drop_width, pass_width;      /* of the intervals, likewise */
};

static void give_up(const char *why)
{
    fprintf(stderr, "test_audit_trials: %s\n", why);
    exit(2);
}

static freshet *filter_for(size_t stream, size_t kind, unsigned trial,
                           const struct size *size)
{
    freshet_options o = {.size = sizeof o, .seed = trial + 1};
    freshet_error err;
    freshet *f;

    o.algorithm = kinds[kind].filter == POCKET ? "pocket" : "sbf";
    o.memory = streams[stream].memory[kinds[kind].filter] / size->scale;
    o.false_drop_rate = 0.02;
    if (kinds[kind].window && kinds[kind].filter == POCKET) {
        o.window = size->window;
        o.params = "refresh=0";
        o.memory /= 4;
    }
    o.memory += 1024;
    if (freshet_create(&f, &o, &err) < 0)
        give_up(err.message);
    return f;
}

static struct gen *stream_for(size_t stream, unsigned trial,
                              const struct size *size)
{
    char spec[128];
    struct fault why;
    struct gen *g;

    snprintf(spec, sizeof spec, "%s,n=%u,seed=%u", streams[stream].spec,
             (unsigned)size->records, trial + 1);
    if (gen_open(&g, spec, &why) < 0)
        give_up(why.text);
    return g;
}

static void run(struct gen *g, freshet *f, struct audit *a,
                struct truth_list *truth)
{
    uint64_t key[BLOCK], now = 0;
    freshet_hash hash[BLOCK];
    uint8_t seen[BLOCK];
    size_t n;

    while ((n = gen_next(g, key, NULL, BLOCK)) > 0) {
        for (size_t i = 0; i < n; i++)
            hash[i] = freshet_hash_key(f, &key[i], sizeof key[i]);
        freshet_offer_batch(f, hash, n, seen);
        for (size_t i = 0; i < n; i++, now++) {
            audit_record(a, hash[i], seen[i], now);
            truth_record(truth, key[i], seen[i], now);
        }
    }
}

static double share_of(uint64_t wrong, uint64_t n)
{
    return n ? (double)wrong / (double)n : 0;
}

static bool contains(const struct audit_rate *r, double truth)
{
    return r->low <= truth && truth <= r->high;
}

static void add_trial(struct cell *cell, const struct truth_list *truth,
                      const struct audit_report *r)
{
    double drop = share_of(truth->dropped, truth->fresh);
    double pass = share_of(truth->passed, truth->repeats);

    cell->trials++;
    cell->drop += contains(&r->false_drop, drop);
    cell->pass += contains(&r->false_pass, pass);
    cell->drop_rate += drop;
    cell->pass_rate += pass;
    cell->drop_width += r->false_drop.high - r->false_drop.low;
    cell->pass_width += r->false_pass.high - r->false_pass.low;
    cell->share += r->share;
}

static void try(struct cell *cell, size_t stream, size_t kind, unsigned trial,
                const struct size *size)
{
    uint64_t window = kinds[kind].window ? size->window : 0;
    struct truth_list truth = {.known =
                                   calloc(size->known, sizeof *truth.known),
                               .slots = size->known,
                               .window = window};
    struct audit *a = audit_create(size->audit, trial + 1,
                                   (struct audit_window){window, false});
    freshet *f = filter_for(stream, kind, trial, size);
    struct gen *g = stream_for(stream, trial, size);
    struct audit_report r;

    if (!a || !truth.known)
        give_up("no memory");
    run(g, f, a, &truth);
    audit_get_report(a, &r);
    add_trial(cell, &truth, &r);
    gen_free(g);
    freshet_free(f);
    audit_free(a);
    free(truth.known);
}

/* ---- All of them ------------------------------------------------------ */

static bool try_cell(size_t stream, size_t kind, const struct size *size)
{
    struct cell c = {0};
    double n = size->trials;
    bool enough;

    for (unsigned trial = 0; trial < size->trials; trial++)
        try(&c, stream, kind, trial, size);
    enough = c.drop >= size->needed && c.pass >= size->needed;
    printf("%-14s %-12s %5u %8.2g %7.2g %5u %8.2g %7.2g %7.2g%s\n",
           kinds[kind].title, streams[stream].name, c.drop, c.drop_rate / n,
           c.drop_width / n, c.pass, c.pass_rate / n, c.pass_width / n,
           c.share / n, enough ? "" : "  too few");
    fflush(stdout);
    return enough;
}

int main(int argc, char **argv)
{
    bool full = argc > 1 && strcmp(argv[1], "--full") == 0, all = true;
    const struct size *size = full ? &full_size : &test_size;

    printf("Of %u trials in each row, how many intervals of 95 %% contained "
           "the run's own\nrate, for false drops and for false passes; at "
           "least %u must.  The rates, the\nwidths of the intervals and the "
           "audit's share of the stream are means.\n\n"
           "%-14s %-12s %5s %8s %7s %5s %8s %7s %7s\n",
           size->trials, size->needed, "filter", "stream", "drops", "rate",
           "width", "pass", "rate", "width", "share");
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t stream = 0; stream < STREAMS; stream++)
            all = try_cell(stream, kind, size) && all;
    return all ? 0 : 1;
}
