/*
 * redis_info.c - what FR.INFO says about the shards of a filter
 */
#include "redis_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A reply ---------------------------------------------------------- */

static bool is_known(struct view reply, const char *name)
{
    struct resp item;

    return resp_find(reply, name, &item) && item.type != RESP_NULL;
}

uint64_t redis_count(struct view reply, const char *name)
{
    struct resp item;
    char text[24] = "";

    if (!resp_find(reply, name, &item) || item.type == RESP_NULL)
        return 0;
    if (item.type == RESP_COUNT)
        return item.count > 0 ? (uint64_t)item.count : 0;
    if (item.text.len < sizeof text)
        memcpy(text, item.text.at, item.text.len);
    return strtoull(text, NULL, 10);
}

static void text_of(struct view reply, const char *name, char *out, size_t size)
{
    struct resp item;

    out[0] = '\0';
    if (resp_find(reply, name, &item) && item.type == RESP_TEXT &&
        item.text.len < size) {
        memcpy(out, item.text.at, item.text.len);
        out[item.text.len] = '\0';
    }
}

static double real_of(struct view reply, const char *name)
{
    char text[32];

    text_of(reply, name, text, sizeof text);
    return strtod(text, NULL);
}

/* Sends FR.INFO key [NOCOUNT], and sets r->reply.  Returns false and sets
   r->why on error. */
static bool ask_info(struct redis *r, struct shard *shard, bool count,
                     struct resp *item)
{
    struct words words = {0};
    struct view rest;
    bool done;

    words_begin(&words, count ? 2 : 3);
    words_text(&words, "FR.INFO");
    words_text(&words, shard->key);
    if (!count)
        words_text(&words, "NOCOUNT");
    done = redis_call(r, shard, &words);
    words_free(&words);
    rest = r->reply;
    return done && resp_next(&rest, item);
}

/* ---- What the filter was made for ------------------------------------- */

bool redis_trouble(const struct redis *r, const char *key, struct fault *why)
{
    return fault_set(why, "%s: %s: %s", r->nodes.url.server.host, key,
                     r->why.text);
}

static void parse_options(struct shard_info *f, struct view reply)
{
    freshet_info *info = &f->info;

    text_of(reply, "algorithm", f->algorithm, sizeof f->algorithm);
    text_of(reply, "hash", f->hash, sizeof f->hash);
    text_of(reply, "parameters", info->params, sizeof info->params);
    info->algorithm = f->algorithm;
    info->hash = f->hash;
    info->wanted = real_of(reply, "error");
    info->seed = redis_count(reply, "seed");
    f->seed_high = redis_count(reply, "seed-high");
    info->memory = redis_count(reply, "memory");
    info->expect = redis_count(reply, "expect");
    info->window = redis_count(reply, "last");
    info->within = redis_count(reply, "within") * 1000000;
    info->offered = redis_count(reply, "offered");
}

bool redis_inspect_shard(struct redis *r, struct shard *shard,
                         struct shard_info *f, struct fault *why)
{
    struct resp item;

    *f = (struct shard_info){.info.size = sizeof f->info};
    if (!ask_info(r, shard, false, &item))
        return redis_trouble(r, shard->key, why);
    f->there = item.type == RESP_ARRAY;
    if (f->there) {
        parse_options(f, r->reply);
        return true;
    }
    if (item.type == RESP_ERROR && resp_begins_with(&item, "ERR not found"))
        return true;
    if (item.type == RESP_ERROR &&
        resp_begins_with(&item, "ERR unknown command"))
        return fault_set(why,
                         "%s: has not loaded the module freshet.so; "
                         "doc/redis.md "
                         "tells how",
                         r->nodes.url.server.host);
    fault_set(&r->why, "%.*s", (int)item.text.len, item.text.at);
    return redis_trouble(r, shard->key, why);
}

void redis_add_shard_info(struct redis *r, const struct shard_info *f)
{
    freshet_info *info = &r->info;
    uint64_t memory = info->memory + f->info.memory;

    *info = f->info;
    memcpy(r->algorithm, f->algorithm, sizeof r->algorithm);
    info->algorithm = r->algorithm;
    memcpy(r->hash.name, f->hash, sizeof r->hash.name);
    info->hash = r->hash.name;
    r->hash.seed_high = f->seed_high;
    info->memory = memory;
}

/* ---- What is in it ---------------------------------------------------- */

static void clear_counts(freshet_info *info)
{
    info->slots = info->used = 0;
    info->forgotten = FRESHET_UNKNOWN;
    info->false_drop = info->false_pass = (double)NAN;
    info->over_plan = -1;
}

/* Adds the figures of a shard.  A new key is as likely to belong to one shard
   as to another, so the rate of false drops is the mean. */
static void add(freshet_info *info, struct view reply, size_t shards)
{
    info->slots += redis_count(reply, "slots");
    info->used += redis_count(reply, "used");
    if (!is_known(reply, "forgotten"))
        info->forgotten = FRESHET_UNKNOWN;
    else if (info->forgotten != FRESHET_UNKNOWN)
        info->forgotten += redis_count(reply, "forgotten");
    if (is_known(reply, "false-drop-now"))
        info->false_drop += real_of(reply, "false-drop-now") / (double)shards;
    else
        info->false_drop = (double)NAN;
    info->over_plan |= redis_count(reply, "over-plan") != 0;
}

/* Returns false if a shard is missing, or if its algorithm cannot be sampled
   and it is large. */
static bool add_all(struct redis *r, freshet_info *info)
{
    struct resp item;

    info->forgotten = 0;
    info->false_drop = 0;
    info->over_plan = 0;
    for (size_t i = 0; i < r->shards; i++) {
        if (!ask_info(r, &r->shard[i], true, &item) ||
            item.type != RESP_ARRAY || !is_known(r->reply, "slots"))
            return false;
        add(info, r->reply, r->shards);
    }
    return true;
}

/* Figures are not worth waiting for: a server that does not answer is not
   asked again, and the time that records have waited does not change. */
void redis_info(struct decider *d, freshet_info *out)
{
    struct redis *r = (struct redis *)d;
    uint64_t retry = r->retry, since = r->outage.since;

    clear_counts(&r->info);
    if (!r->outage.away_until && !since) {
        r->retry = 0;
        if (!add_all(r, &r->info))
            clear_counts(&r->info);
        r->retry = retry;
        r->outage.since = since;
    }
    *out = r->info;
}
