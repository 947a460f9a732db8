/*
 * cmd_filters.c - commands about whole filters
 */
#include <math.h>
#include <string.h>

#include "reply.h"
#include "reserve.h"

/* ---- FR.RESERVE key MEMORY bytes [option ...] [NX] --------------------- */

/* Answers the second half of the hash's key, if the key has 128 bits. */
static void reply_seed_high(struct reply_map *map, const freshet *filter)
{
    freshet_hasher h = {.size = sizeof h};

    freshet_hasher_of(filter, &h);
    if (h.key[1])
        reply_count(map, "seed-high", h.key[1]);
}

static int describe(rm_ctx *ctx, const struct value *value, bool created,
                    const char *reason)
{
    struct reply_map map = reply_map(ctx);
    freshet_info info = value_brief_info(value->filter);

    reply_count(&map, "created", created);
    reply_text(&map, "algorithm", info.algorithm);
    reply_text(&map, "parameters", info.params);
    reply_count(&map, "memory", info.memory);
    reply_count(&map, "seed", info.seed);
    reply_seed_high(&map, value->filter);
    reply_text(&map, "why", reason);
    reply_map_end(&map);
    return RM_OK;
}

/* NX may stand anywhere among the options. */
static bool read_options(rm_ctx *ctx, struct reserve_args *args, bool *nx,
                         rm_string **argv, int argc)
{
    for (int at = 2; at < argc; at++) {
        if (!args_read(ctx, reserve_options, args, argv, argc, &at))
            return false;
        if (at == argc)
            break;
        if (!args_is(argv[at], "NX")) {
            reply_error(ctx, "ERR unknown argument '%.60s'",
                        rm.StringPtrLen(argv[at], NULL));
            return false;
        }
        *nx = true;
    }
    if (args->memory)
        return true;
    reply_error(ctx, "ERR how much memory? FR.RESERVE key MEMORY bytes");
    return false;
}

static int run_reserve(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct reserve_args args = {0};
    char reason[256] = "it was there";
    bool nx = false, created = false;
    struct place p;

    if (!read_options(ctx, &args, &nx, argv, argc) ||
        !place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (!p.value)
        created = reserve(&p, &args, reason);
    else if (!nx)
        reply_error(ctx, "ERR item exists: there is a filter at this key; "
                         "say NX to keep it, or DEL it first");
    if (created || (p.value && nx))
        describe(ctx, p.value, created, reason);
    place_close(&p);
    return RM_OK;
}

/* ---- FR.RESET key ----------------------------------------------------- */

static int run_reset(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;

    (void)argc;
    if (!place_need(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    value_reset(p.value);
    place_wrote(&p, "fr.reset");
    place_close(&p);
    return reply_ok(ctx);
}

/* ---- FR.MERGE key source [source ...] --------------------------------- */

static bool can(const char *algorithm, unsigned what)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        if (strcmp(a->name, algorithm) == 0)
            return a->can & what;
    return false;
}

static bool hash_equally(const freshet *a, const freshet *b)
{
    freshet_hasher x = {.size = sizeof x}, y = {.size = sizeof y};

    freshet_hasher_of(a, &x);
    freshet_hasher_of(b, &y);
    return strcmp(x.hash, y.hash) == 0 && x.key[0] == y.key[0] &&
           x.key[1] == y.key[1];
}

/* Returns whether this source can be merged; answers if it cannot.  All sources
   are checked before the first one is merged. */
static bool may_merge(struct place *to, rm_string *name)
{
    freshet_info a = value_brief_info(to->value->filter), b;
    struct place from;
    bool equal;

    if (!place_need(&from, to->ctx, name, RM_READ))
        return false;
    b = value_brief_info(from.value->filter);
    equal = hash_equally(to->value->filter, from.value->filter);
    place_close(&from);
    if (!can(a.algorithm, FRESHET_CAN_MERGE)) {
        reply_error(to->ctx, "ERR %s cannot merge", a.algorithm);
        return false;
    }
    if (strcmp(a.algorithm, b.algorithm) == 0 &&
        strcmp(a.params, b.params) == 0 && a.memory == b.memory && equal &&
        a.window == b.window && a.within == b.within)
        return true;
    reply_error(to->ctx, "ERR only filters of equal options and seed can "
                         "merge");
    return false;
}

static int run_merge(rm_ctx *ctx, rm_string **argv, int argc)
{
    freshet_error err = {.status = FRESHET_OK};
    struct place p, from;

    if (!place_need(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    for (int i = 2; i < argc; i++)
        if (!may_merge(&p, argv[i])) {
            place_close(&p);
            return RM_OK;
        }
    for (int i = 2; i < argc && err.status == FRESHET_OK; i++) {
        (void)place_open(&from, ctx, argv[i], RM_READ);
        (void)!freshet_merge(p.value->filter, from.value->filter, &err);
        place_close(&from);
    }
    place_wrote(&p, "fr.merge");
    place_close(&p);
    return err.status == FRESHET_OK ? reply_ok(ctx)
                                    : reply_error(ctx, "ERR %s", err.message);
}

/* ---- FR.INFO key [COUNT | NOCOUNT] ------------------------------------- */

enum count { COUNT_ALL, COUNT_SOME, COUNT_NONE };

/* A block up to this size is read through, in about 16 ms; of a larger one a
   sample is read. */
#define READ_THROUGH (UINT64_C(32) << 20)
#define SAMPLE       (UINT64_C(4) << 20)

static void info_options(struct reply_map *map, const freshet_info *info)
{
    reply_text(map, "algorithm", info->algorithm);
    reply_text(map, "parameters", info->params);
    reply_count(map, "memory", info->memory);
    reply_real(map, "error", info->wanted);
    reply_count(map, "expect", info->expect);
    reply_count(map, "last", info->window);
    reply_count(map, "within", info->within / COMMAND_TICKS);
    reply_text(map, "hash", info->hash);
    reply_count(map, "seed", info->seed);
}

static void info_counters(struct reply_map *map, const freshet_info *info)
{
    reply_count(map, "offered", info->offered);
    reply_count(map, "new", info->fresh);
    reply_count(map, "repeats", info->offered - info->fresh);
    reply_count(map, "remembered", info->remembered);
    reply_count(map, "now", info->now / COMMAND_TICKS);
}

/* Answers null for what was not counted or cannot be known. */
static void reply_count_or_null(struct reply_map *map, const char *name,
                                bool known, uint64_t count)
{
    if (known)
        reply_count(map, name, count);
    else
        reply_text(map, name, NULL);
}

static void info_counted(struct reply_map *map, const freshet_info *info,
                         enum count count)
{
    bool counted = count != COUNT_NONE;

    reply_count_or_null(map, "slots", counted, info->slots);
    reply_count_or_null(map, "used", counted, info->used);
    reply_count_or_null(map, "estimated", counted, count == COUNT_SOME);
    reply_count_or_null(map, "forgotten", info->forgotten != FRESHET_UNKNOWN,
                        info->forgotten);
    reply_count_or_null(map, "over-plan", counted, (uint64_t)info->over_plan);
    reply_real(map, "false-drop-now", info->false_drop);
}

static void info_expected(struct reply_map *map, const freshet *f)
{
    freshet_rates rates = {.size = sizeof rates,
                           .false_drop = (double)NAN,
                           .reach = (double)NAN};
    freshet_workload endless = {.size = sizeof endless};

    (void)!freshet_expect(&rates, f, &endless, NULL);
    reply_real(map, "false-drop-expected", rates.false_drop);
    reply_real(map, "reach", rates.reach);
}

/* Fills in the whole of info, or what is known at once.  Returns what was
   counted: a large block is not read if its algorithm cannot be sampled. */
static enum count fill_info(const freshet *f, enum count count,
                            freshet_info *info)
{
    *info = value_brief_info(f);
    if (count == COUNT_NONE)
        return COUNT_NONE;
    if (count == COUNT_ALL || info->memory <= READ_THROUGH) {
        info->size = sizeof *info;
        freshet_get_info(f, info);
        return COUNT_ALL;
    }
    info->size = sizeof *info;
    return freshet_estimate_info(f, info, SAMPLE) < 0 ? COUNT_NONE : COUNT_SOME;
}

static bool read_count(rm_ctx *ctx, enum count *count, rm_string **argv,
                       int argc)
{
    *count = argc < 3                      ? COUNT_SOME
             : args_is(argv[2], "COUNT")   ? COUNT_ALL
             : args_is(argv[2], "NOCOUNT") ? COUNT_NONE
                                           : COUNT_SOME;
    if (argc < 3 || (argc == 3 && *count != COUNT_SOME))
        return true;
    reply_error(ctx, "ERR FR.INFO takes a key and perhaps COUNT or NOCOUNT");
    return false;
}

static int run_info(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct reply_map map;
    enum count count;
    freshet_info info;
    struct place p;

    if (!read_count(ctx, &count, argv, argc) ||
        !place_need(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    count = fill_info(p.value->filter, count, &info);
    map = reply_map(ctx);
    info_options(&map, &info);
    reply_seed_high(&map, p.value->filter);
    info_counters(&map, &info);
    info_counted(&map, &info, count);
    info_expected(&map, p.value->filter);
    reply_map_end(&map);
    place_close(&p);
    return RM_OK;
}

/* ---- FR.LIST ----------------------------------------------------------- */

static void list_parameters(rm_ctx *ctx, const freshet_algorithm *a)
{
    const freshet_parameter *p;
    long n = 0;

    rm.ReplyWithArray(ctx, RM_POSTPONED);
    for (; (p = freshet_parameter_at(a, (size_t)n)); n++) {
        struct reply_map map = reply_map(ctx);

        reply_text(&map, "name", p->name);
        if (p->words) {
            reply_text(&map, "words", p->words);
        } else {
            reply_real(&map, "min", p->min);
            reply_real(&map, "max", p->max);
        }
        reply_real(&map, "default", p->fallback);
        reply_text(&map, "help", p->help);
        reply_map_end(&map);
    }
    rm.ReplySetArrayLength(ctx, n);
}

static int run_list(rm_ctx *ctx, rm_string **argv, int argc)
{
    const freshet_algorithm *a;
    long n = 0;

    (void)argv;
    (void)argc;
    rm.ReplyWithArray(ctx, RM_POSTPONED);
    for (; (a = freshet_algorithm_at((size_t)n)); n++) {
        struct reply_map map = reply_map(ctx);

        reply_text(&map, "name", a->name);
        reply_text(&map, "title", a->title);
        reply_text(&map, "paper", a->paper);
        reply_count(&map, "forget", (a->can & FRESHET_CAN_FORGET) != 0);
        reply_count(&map, "merge", (a->can & FRESHET_CAN_MERGE) != 0);
        reply_count(&map, "last", (a->can & FRESHET_CAN_WINDOW) != 0);
        reply_count(&map, "within", (a->can & FRESHET_CAN_WITHIN) != 0);
        reply_count(&map, "split", (a->can & FRESHET_CAN_SPLIT) != 0);
        rm.ReplyWithCString(ctx, "parameters");
        list_parameters(ctx, a);
        map.n++;
        reply_map_end(&map);
    }
    rm.ReplySetArrayLength(ctx, n);
    return RM_OK;
}

/* ---- The table --------------------------------------------------------- */

const struct command commands_filters[] = {
    {"FR.RESERVE", run_reserve, "write deny-oom", KEY_BOTH, -4,
     "key MEMORY bytes options [NX]", "O(1); memory is taken as it is used",
     "Make a filter within a memory budget and answer what was chosen",
     "filters together are limited by freshet.max-memory"},
    {"FR.RESET", run_reset, "write", KEY_WRITE, 2, "key",
     "O(1) for a filter of 8 MiB and more, else O(bytes)",
     "Empty a filter: it is then as it was when it was made",
     "takes no time for large filters"},
    {"FR.MERGE", run_merge, "write", KEY_AND_SOURCES, -3, "key source...",
     "O(bytes * sources)",
     "Add what filters of equal options and seed remember", NULL},
    {"FR.INFO", run_info, "readonly", KEY_READ, -2, "key [COUNT|NOCOUNT]",
     "O(1); with COUNT O(bytes)",
     "Answer a filter's options, counters, fill and rates of error",
     "the fill of large filters is estimated from a sample"},
    {"FR.LIST", run_list, "readonly fast", KEY_NONE, 1, "", "O(1)",
     "Answer the algorithms and their parameters", NULL},
    {0},
};
