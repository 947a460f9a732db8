/*
 * redis_open.c - finding or making a filter on a server or cluster
 *
 * The name is a key, or with shards several: NAME:{0}, NAME:{1}, ...  The
 * client that comes first makes them.  All clients reserve the first shard
 * before the others and give its seed to them, so that clients which start at
 * the same time agree.
 */
#include "redis_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compatible.h"
#include "system.h"
#include "tls.h"

enum { SHARDS_MOST = 1024, MEMORY = 256 << 20 };

#define SECOND UINT64_C(1000000000)

/* ---- All shards ------------------------------------------------------- */

/*
 * A filter that has been used has all its shards, and all clients of a name
 * use the same number: the key behind the last, and the name itself, must not
 * be there.
 */
static bool check_probes(struct redis *r, struct fault *why)
{
    const char *name = r->nodes.url.name, *host = r->nodes.url.server.host;
    struct shard_info f;

    for (size_t i = r->shards; i < r->shards + r->probes; i++) {
        if (!redis_inspect_shard(r, &r->shard[i], &f, why))
            return false;
        if (f.there && r->shards == 1)
            return fault_set(why, "%s: %s is spread over shards; give --shards",
                             host, name);
        if (f.there)
            return fault_set(why,
                             "%s: %s is there, so %s has another number of "
                             "shards than %zu; give its number as --shards",
                             host, r->shard[i].key, name, r->shards);
    }
    return true;
}

static bool make_missing(struct redis *r, const struct goal_args *args,
                         struct fault *why)
{
    struct goal_args wanted = *args;
    uint64_t seed[2] = {args->seed, 0}; /* 0: the server draws it */
    struct goal goal;

    if (!wanted.memory)
        wanted.memory = MEMORY / r->shards;
    if (!goal_from_args(&goal, &wanted, why))
        return false;
    for (size_t i = 0; i < r->shards; i++)
        if (!redis_reserve(r, &r->shard[i], &goal, seed, why))
            return false;
    return true;
}

static bool reserve_all(struct redis *r, const struct goal_args *args,
                        struct fault *why)
{
    const char *used = NULL, *missing = NULL;
    struct shard_info f;

    for (size_t i = 0; i < r->shards; i++) {
        if (!redis_inspect_shard(r, &r->shard[i], &f, why))
            return false;
        if (!f.there)
            missing = r->shard[i].key;
        else if (f.info.offered)
            used = r->shard[i].key;
    }
    if (used && missing)
        return fault_set(why,
                         "%s: %s has been used, and %s is not there: %s has "
                         "fewer shards, or has lost one",
                         r->nodes.url.server.host, used, missing,
                         r->nodes.url.name);
    return !missing || make_missing(r, args, why);
}

static bool check_shard(struct redis *r, size_t i, const struct goal_args *args,
                        struct fault *why)
{
    const char *key = r->shard[i].key, *host = r->nodes.url.server.host;
    struct shard_info f;
    struct compatible there = {key,
                               "filter on the server",
                               "name",
                               (unsigned)r->shards,
                               {0}};

    if (!redis_inspect_shard(r, &r->shard[i], &f, why))
        return false;
    if (!f.there)
        return fault_set(why, "%s: %s was deleted meanwhile; try again", host,
                         key);
    there.info = f.info;
    there.info.algorithm = f.algorithm;
    if (!compatible_check(&there, args, why))
        return false;
    if (i && (f.info.seed != r->info.seed || f.seed_high != r->hash.seed_high))
        return fault_set(why,
                         "%s: %s has another seed than %s; delete one of "
                         "them",
                         host, key, r->shard[0].key);
    redis_add_shard_info(r, &f);
    return redis_note_shard(&r->shard[i], &f) ||
           fault_set(why, "no memory for a request");
}

static bool check_all(struct redis *r, const struct goal_args *args,
                      struct fault *why)
{
    for (size_t i = 0; i < r->shards; i++)
        if (!check_shard(r, i, args, why))
            return false;
    return true;
}

/* A request that is sent again because its answer was lost must find its
   client known, so all ids are introduced beforehand. */
static bool introduce_all(struct redis *r, struct fault *why)
{
    for (size_t i = 0; i < REDIS_DEPTH; i++)
        for (size_t s = 0; s < r->shards; s++)
            if (!request_introduce(r, &r->question[i].request[s]))
                return redis_trouble(r, r->shard[s].key, why);
    return true;
}

/* ---- Opening ---------------------------------------------------------- */

static void name_key(struct redis *r, size_t i, bool whole, size_t number)
{
    struct shard *s = &r->shard[i];

    snprintf(s->key, sizeof s->key, "%s", r->nodes.url.name);
    if (!whole)
        snprintf(s->key, sizeof s->key, "%s:{%zu}", r->nodes.url.name, number);
    s->slot = keyslot_of(s->key, strlen(s->key));
    s->node = r->nodes.node[0];
    if (r->nodes.owner[s->slot])
        s->node = r->nodes.owner[s->slot];
}

static bool name_keys(struct redis *r)
{
    bool one = r->shards == 1;

    r->probes = one ? 1 : 2;
    r->shard = calloc(r->shards + r->probes, sizeof *r->shard);
    if (!r->shard)
        return false;
    for (size_t i = 0; i < r->shards; i++)
        name_key(r, i, one, i);
    name_key(r, r->shards, false, one ? 0 : r->shards);
    if (!one)
        name_key(r, r->shards + 1, true, 0);
    return true;
}

/* Other users of the machine see a command line, but not the environment. */
static bool parse_url(struct redis_url *url, const char *text,
                      struct fault *why)
{
    const char *password = getenv("FRESHET_PASSWORD");
    struct fault wrong;

    if (!redis_url_parse(url, text, &wrong))
        return fault_set(why, "--remote %s", wrong.text);
    if (url->kind == REDIS_TLS && !tls_load(why))
        return false;
    if (*url->password || !password)
        return true;
    if (strlen(password) >= sizeof url->password)
        return fault_set(why, "FRESHET_PASSWORD is longer than %zu bytes",
                         sizeof url->password - 1);
    strcpy(url->password, password);
    return true;
}

static bool draw_id(struct redis *r)
{
    uint64_t id;

    if (!system_random(&id, sizeof id))
        return false;
    snprintf(r->id, sizeof r->id, "%016" PRIx64, id);
    return true;
}

/* Waits for a server that does not answer yet if --retry was given.  Without
   that option, a wrong address is reported at once. */
static bool find_server(struct redis *r, bool wait, struct fault *why)
{
    while (!cluster_learn(&r->nodes, &r->why))
        if (!wait || r->nodes.refused || !redis_wait(r))
            return fault_set(why, "%s: %s", r->nodes.url.server.host,
                             r->why.text);
    r->outage.since = 0;
    r->outage.tries = 0;
    return true;
}

static bool connect_all(struct redis *r, const struct redis_args *args,
                        struct fault *why)
{
    struct redis_url url;

    if (!parse_url(&url, args->url, why))
        return false;
    r->shards = args->shards ? args->shards : 1;
    r->on_error = (enum redis_on_error)args->on_error;
    r->retry = args->retry ? args->retry : 30 * SECOND;
    r->remembering.on = args->at_least_once;
    if (!cluster_init(&r->nodes, &url,
                      r->retry < 10 * SECOND ? r->retry : 10 * SECOND))
        return fault_set(why, "no memory for a server");
    if (!draw_id(r))
        return fault_set(why, "the system gave no random number");
    if (!find_server(r, args->retry != 0, why))
        return false;
    if (!name_keys(r) || !redis_make_questions(r))
        return fault_set(why, "no memory for %zu shards", r->shards);
    return true;
}

/* Each shard has its share of the whole. */
static bool share(struct goal_args *part, const struct goal_args *whole,
                  uint64_t shards, struct fault *why)
{
    *part = *whole;
    if (shards > SHARDS_MOST)
        return fault_set(why, "--shards: at most %d", SHARDS_MOST);
    if (shards > 1 && whole->last)
        return fault_set(why,
                         "--last counts the records of one filter, and shards "
                         "do not get equally many; use --within, or no "
                         "--shards");
    if (shards > 1) {
        part->memory /= shards;
        part->expect = (part->expect + shards - 1) / shards;
    }
    return true;
}

bool redis_open(struct redis *r, const struct redis_args *args,
                const struct goal_args *whole, struct fault *why)
{
    struct goal_args part;

    return share(&part, whole, args->shards, why) &&
           connect_all(r, args, why) && check_probes(r, why) &&
           reserve_all(r, &part, why) && check_all(r, &part, why) &&
           (r->remembering.on || introduce_all(r, why));
}
