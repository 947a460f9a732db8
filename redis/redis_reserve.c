/*
 * redis_reserve.c - FR.RESERVE: making a shard, and making it again
 */
#include "redis_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compatible.h"

/* ---- The request ------------------------------------------------------ */

static void add_pair(struct words *w, size_t *n, const char *name,
                     uint64_t count)
{
    if (!count)
        return;
    words_text(w, name);
    words_count(w, count);
    *n += 2;
}

/* "k=4,d=2" as PARAM k 4 PARAM d 2. */
static void add_params(struct words *w, size_t *n, const char *params)
{
    while (*params) {
        size_t name = strcspn(params, "="), all = strcspn(params, ",");

        if (name >= all)
            return;
        words_text(w, "PARAM");
        words_add(w, params, name);
        words_add(w, params + name + 1, all - name - 1);
        *n += 3;
        params += all + (params[all] == ',');
    }
}

/* The number of words is known at the end only, so they are written twice. */
static void phrase(struct words *w, const char *key, const freshet_options *o)
{
    char rate[32];
    size_t n = 0;

    snprintf(rate, sizeof rate, "%.17g", o->false_drop_rate);
    for (int pass = 0; pass < 2; pass++) {
        words_begin(w, n);
        n = 5;
        words_text(w, "FR.RESERVE");
        words_text(w, key);
        words_text(w, "ALGORITHM");
        words_text(w, o->algorithm);
        words_text(w, "NX");
        add_pair(w, &n, "MEMORY", o->memory);
        add_pair(w, &n, "EXPECT", o->expect);
        add_pair(w, &n, "LAST", o->window);
        add_pair(w, &n, "WITHIN", (o->within + 999999) / 1000000);
        add_pair(w, &n, "SEED", o->seed);
        add_pair(w, &n, "SEEDHIGH", o->seed_high);
        if (o->hash) {
            words_text(w, "HASH");
            words_text(w, o->hash);
            n += 2;
        }
        if (o->false_drop_rate > 0) {
            words_text(w, "ERROR");
            words_text(w, rate);
            n += 2;
        }
        add_params(w, &n, o->params);
    }
}

/* Returns false and sets r->why if there is no filter then. */
static bool reserve(struct redis *r, struct shard *shard,
                    const struct words *words, uint64_t seed[2])
{
    struct view rest;
    struct resp item;

    if (!redis_call(r, shard, words))
        return false;
    rest = r->reply;
    (void)resp_next(&rest, &item);
    if (item.type != RESP_ARRAY)
        return fault_set(&r->why, "%.*s", (int)item.text.len, item.text.at);
    seed[0] = redis_count(r->reply, "seed");
    seed[1] = redis_count(r->reply, "seed-high");
    return true;
}

bool redis_reserve(struct redis *r, struct shard *shard,
                   const struct goal *goal, uint64_t seed[2], struct fault *why)
{
    freshet_options options = goal->options;
    struct words words = {0};
    bool done;

    options.params = goal->params;
    options.seed = seed[0];
    options.seed_high = seed[1];
    phrase(&words, shard->key, &options);
    done = reserve(r, shard, &words, seed);
    words_free(&words);
    return done || redis_trouble(r, shard->key, why);
}

/* ---- Making it again -------------------------------------------------- */

bool redis_note_shard(struct shard *shard, const struct shard_info *f)
{
    freshet_options options = compatible_options(&f->info);

    options.algorithm = f->algorithm;
    options.hash = f->hash;
    options.seed_high = f->seed_high;
    phrase(&shard->reserve, shard->key, &options);
    return !shard->reserve.failed;
}

/* The loss of several shards at the same time is reported once. */
static void report_loss(struct redis *r, struct shard *shard)
{
    struct fault text;

    if (++shard->losses <= r->losses)
        return;
    r->losses = shard->losses;
    fault_set(&text,
              "warning: %s: the filter %s was lost and has been made again; "
              "%" PRIu64 " records were compared with it before",
              r->nodes.url.server.host, r->nodes.url.name, r->compared);
    redis_notice(r, &text);
}

static bool use_seed(struct redis *r, uint64_t low, uint64_t high)
{
    if (low == r->info.seed && high == r->hash.seed_high)
        return true;
    r->info.seed = low;
    r->hash.seed_high = high;
    r->hash.version++;
    return redis_set_hasher(r, &r->why);
}

bool redis_make_again(struct redis *r, struct shard *shard)
{
    uint64_t seed[2];

    if (!reserve(r, shard, &shard->reserve, seed))
        return false;
    report_loss(r, shard);
    /* reserve() has set the seed.
       NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    return use_seed(r, seed[0], seed[1]);
}

bool redis_use_new_seed(struct redis *r, struct shard *shard)
{
    struct shard_info f;

    if (!redis_inspect_shard(r, shard, &f, &r->why))
        return false;
    if (!f.there || f.info.seed == r->info.seed)
        return true; /* it has changed once more: ask again */
    report_loss(r, shard);
    return use_seed(r, f.info.seed, f.seed_high);
}
