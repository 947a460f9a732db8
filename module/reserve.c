/*
 * reserve.c - making a filter at a key
 */
#include "reserve.h"

#include <stdio.h>
#include <string.h>

#include "memory_limit.h"
#include "reply.h"

#define AT(field) offsetof(struct reserve_args, field)

const struct option_spec reserve_options[] = {
    {0, "MEMORY", OPTION_SIZE, AT(memory), "bytes",
     "memory of the filter, such as 64M"},
    {0, "ERROR", OPTION_RATE, AT(error), "rate", "false drops allowed (1e-6)"},
    {0, "EXPECT", OPTION_POSITIVE, AT(expect), "n", "distinct keys to expect"},
    {0, "LAST", OPTION_POSITIVE, AT(last), "n", "look back n records"},
    {0, "WITHIN", OPTION_POSITIVE, AT(within), "ms", "look back this long"},
    {0, "REFRESH", OPTION_SWITCH, AT(refresh), "nothing",
     "a repeat extends its window"},
    {0, "ALGORITHM", OPTION_TEXT, AT(algorithm), "name",
     "one that FR.LIST has"},
    {0, "PARAM", OPTION_TEXTS, AT(params), "name value",
     "one of its parameters"},
    {0, "SEED", OPTION_POSITIVE, AT(seed), "n", "same seed, same verdicts"},
    {0, "HASH", OPTION_TEXT, AT(hash), "name",
     "xxh3-128, or siphash for items that attackers choose"},
    {0, "SEEDHIGH", OPTION_POSITIVE, AT(seed_high), "n",
     "the other half of the key of siphash"},
    {0},
};

long long reserve_default_memory;

#define MAX_WITHIN (UINT64_C(1) << 42) /* ms: 139 years */

/* ---- Options ---------------------------------------------------------- */

static bool has_refresh(const char *algorithm)
{
    const freshet_algorithm *a;
    const freshet_parameter *p;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        for (size_t j = 0; (p = freshet_parameter_at(a, j)); j++)
            if (strcmp(a->name, algorithm) == 0 &&
                strcmp(p->name, "refresh") == 0)
                return true;
    return false;
}

static freshet_options options_of(const struct reserve_args *args)
{
    return (freshet_options){.size = sizeof(freshet_options),
                             .algorithm = args->algorithm,
                             .params = args->params.text,
                             .memory = args->memory,
                             .false_drop_rate = args->error,
                             .expect = args->expect,
                             .window = args->last,
                             .within = args->within * COMMAND_TICKS,
                             .seed = args->seed,
                             .hash = args->hash,
                             .seed_high = args->seed_high};
}

/* Lets the library choose what was not given, and writes it into the
   options. */
static bool plan(rm_ctx *ctx, struct reserve_args *args,
                 freshet_planned *planned)
{
    freshet_options options = options_of(args);
    freshet_error err;

    if (freshet_plan(planned, &options, &err) < 0) {
        reply_error(ctx, "ERR %s", err.message);
        return false;
    }
    args->algorithm = planned->algorithm;
    memcpy(args->params.text, planned->params, sizeof planned->params);
    return true;
}

/* Makes a window count from a key's first pass, unless REFRESH is given. */
static bool plan_refresh(rm_ctx *ctx, struct reserve_args *args, bool said,
                         freshet_planned *planned)
{
    bool window = args->last || args->within;
    size_t used = strlen(args->params.text);

    if (args->refresh && !window) {
        reply_error(ctx, "ERR REFRESH needs a window: LAST or WITHIN");
        return false;
    }
    if (args->refresh && !has_refresh(args->algorithm)) {
        reply_error(ctx, "ERR %s has no REFRESH; use pocket", args->algorithm);
        return false;
    }
    if (!window || said || !has_refresh(args->algorithm))
        return true;
    snprintf(args->params.text + used, sizeof args->params.text - used,
             "%srefresh=%d", used ? "," : "", args->refresh);
    return plan(ctx, args, planned);
}

static bool plan_all(rm_ctx *ctx, struct reserve_args *args,
                     freshet_planned *planned)
{
    bool said = strstr(args->params.text, "refresh=") != NULL;
    char reason[sizeof planned->reason];

    if (args->within > MAX_WITHIN) {
        reply_error(ctx, "ERR WITHIN is at most %llu ms",
                    (unsigned long long)MAX_WITHIN);
        return false;
    }
    if (!args->memory)
        args->memory = (uint64_t)reserve_default_memory;
    if (!plan(ctx, args, planned))
        return false;
    memcpy(reason, planned->reason, sizeof reason); /* before it was named */
    if (!plan_refresh(ctx, args, said, planned))
        return false;
    memcpy(planned->reason, reason, sizeof reason);
    return true;
}

/* ---- Memory that is left ---------------------------------------------- */

/* Returns the bytes that maxmemory leaves, UINT64_MAX if there is no limit. */
static uint64_t left_by_server(rm_ctx *ctx)
{
    rm_server *server = rm.GetServerInfo(ctx, "memory");
    const char *policy = rm.ServerInfoGetFieldC(server, "maxmemory_policy");
    unsigned long long limit =
        rm.ServerInfoGetFieldUnsigned(server, "maxmemory", NULL);
    unsigned long long used =
        rm.ServerInfoGetFieldUnsigned(server, "used_memory", NULL);

    /* Other keys may be evicted. */
    if (policy && strcmp(policy, "noeviction") != 0 &&
        !(rm.GetContextFlags(ctx) & RM_OUT_OF_MEMORY))
        used = 0;
    rm.FreeServerInfo(ctx, server);
    if (!limit)
        return UINT64_MAX;
    return used <= limit ? limit - used : 0;
}

/* The server itself would refuse or evict only after the memory was
   allocated. */
bool reserve_fits(rm_ctx *ctx, uint64_t bytes)
{
    uint64_t server, setting;

    if (command_is_echo(ctx))
        return true;
    setting = memory_limit_left();
    server = left_by_server(ctx);
    if (bytes <= setting && bytes <= server)
        return true;
    if (bytes > setting)
        reply_error(ctx,
                    "OOM the filter needs %llu bytes, and freshet.max-memory "
                    "leaves %llu; reserve less, or raise freshet.max-memory",
                    (unsigned long long)bytes, (unsigned long long)setting);
    else
        reply_error(ctx,
                    "OOM the filter needs %llu bytes, and maxmemory leaves "
                    "%llu; reserve less, or raise maxmemory",
                    (unsigned long long)bytes, (unsigned long long)server);
    return false;
}

/* ---- Making it -------------------------------------------------------- */

/* Draws the seed here, so that replicas get the same one. */
static bool draw_seed(rm_ctx *ctx, struct reserve_args *args)
{
    freshet_hasher h = {.size = sizeof h,
                        .hash = args->hash,
                        .key = {args->seed, args->seed_high}};
    freshet_error err;

    if (freshet_hasher_init(&h, &err) < 0) {
        reply_error(ctx, "ERR %s", err.message);
        return false;
    }
    args->seed = h.key[0];
    args->seed_high = h.key[1];
    return true;
}

static void replicate(struct place *p, const struct reserve_args *args)
{
    rm_string *words[ARGS_WORDS];
    size_t n = args_write(p->ctx, reserve_options, args, words);

    rm.Replicate(p->ctx, "FR.RESERVE", "sv", p->name, words, n);
    while (n)
        rm.FreeString(p->ctx, words[--n]);
}

bool reserve(struct place *p, struct reserve_args *args, char reason[256])
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_options options;
    struct value *value;
    freshet_error err;

    if (!plan_all(p->ctx, args, &planned) ||
        !reserve_fits(p->ctx, planned.bytes) || !draw_seed(p->ctx, args))
        return false;
    options = options_of(args);
    value = value_make(&options, &err);
    if (!value) {
        reply_error(p->ctx, "%s %s",
                    err.status == FRESHET_ERR_MEMORY ? "OOM" : "ERR",
                    err.message);
        return false;
    }
    place_set(p, value);
    replicate(p, args);
    rm.NotifyKeyspaceEvent(p->ctx, RM_NOTIFY_MODULE, "fr.reserve", p->name);
    if (reason)
        memcpy(reason, planned.reason, sizeof planned.reason);
    return true;
}
