/*
 * cmd_bf_filters.c - BF.* commands about whole filters
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "bf_args.h"
#include "bf_make.h"
#include "command_args.h"
#include "reply.h"

/* ---- BF.RESERVE key error capacity [EXPANSION n] [NONSCALING] ----------- */

static const struct bf_complaints complaints = {"ERR bad error rate",
                                                "ERR bad capacity",
                                                "ERR bad expansion"};

enum { RESERVE_WORDS = 7 };

/* Where a word stands among the options, or 0. */
static int index_of(const char *word, rm_string **argv, int argc)
{
    for (int i = 4; i < argc; i++)
        if (args_is(argv[i], word))
            return i;
    return 0;
}

/* Options stand anywhere; other words are passed over, as RedisBloom does. */
static bool read_shape(rm_ctx *ctx, struct bf_shape *shape, rm_string **argv,
                       int argc)
{
    int expansion = index_of("EXPANSION", argv, argc);
    int nonscaling = index_of("NONSCALING", argv, argc);

    *shape = bf_default_shape;
    if (!bf_read_error(ctx, shape, argv[2], &complaints) ||
        !bf_read_capacity(ctx, shape, argv[3], &complaints))
        return false;
    if (expansion && expansion + 1 == argc) {
        reply_error(ctx, "ERR no expansion");
        return false;
    }
    if (expansion &&
        !bf_read_expansion(ctx, shape, argv[expansion + 1], &complaints))
        return false;
    if (nonscaling && expansion && shape->scaling) {
        reply_error(ctx, "ERR Nonscaling filters cannot expand");
        return false;
    }
    shape->scaling &= !nonscaling;
    return true;
}

static int run_reserve(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_shape shape;
    struct bf_place p;

    if (argc > RESERVE_WORDS)
        return rm.WrongArity(ctx);
    if (!read_shape(ctx, &shape, argv, argc) ||
        !bf_place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (bf_place_has(&p))
        reply_error(ctx, "ERR item exists");
    else if (bf_make(&p, &shape))
        reply_ok(ctx);
    bf_place_close(&p);
    return RM_OK;
}

/* ---- BF.INFO key [field] ------------------------------------------------ */

struct figures {
    uint64_t capacity, size, filters, items;
    uint64_t expansion; /* 0: none, it does not scale */
};

/* Words that may be asked for, in the order of the full answer. */
static const struct {
    const char *word, *name;
    size_t offset;
} fields[] = {
    {"CAPACITY", "Capacity", offsetof(struct figures, capacity)},
    {"SIZE", "Size", offsetof(struct figures, size)},
    {"FILTERS", "Number of filters", offsetof(struct figures, filters)},
    {"ITEMS", "Number of items inserted", offsetof(struct figures, items)},
    {"EXPANSION", "Expansion rate", offsetof(struct figures, expansion)},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static struct figures figures_of(const struct bf_place *p)
{
    const struct bf_chain *chain = p->chain;
    freshet_info info;

    if (chain)
        return (struct figures){bf_chain_capacity(chain), bf_chain_bytes(chain),
                                chain->n, chain->items,
                                chain->scaling ? chain->growth : 0};
    info = value_brief_info(p->at.value->filter);
    return (struct figures){.capacity = info.expect,
                            .size = value_bytes(p->at.value),
                            .filters = 1,
                            .items = info.fresh};
}

static void reply_figure(rm_ctx *ctx, const struct figures *figures, size_t i)
{
    uint64_t figure;

    figure = *(const uint64_t *)(const void *)((const char *)figures +
                                               fields[i].offset);
    if (figure == 0 && fields[i].offset == offsetof(struct figures, expansion))
        rm.ReplyWithNull(ctx);
    else
        rm.ReplyWithLongLong(ctx, (long long)figure);
}

static void reply_figures(rm_ctx *ctx, const struct figures *figures)
{
    rm.ReplyWithMap(ctx, FIELDS);
    for (size_t i = 0; i < FIELDS; i++) {
        rm.ReplyWithSimpleString(ctx, fields[i].name);
        reply_figure(ctx, figures, i);
    }
}

/* A map of one in RESP3, but an array of one value, without a name, in RESP2.
 */
static void reply_one(rm_ctx *ctx, const struct figures *figures, size_t i)
{
    if (rm.GetContextFlags(ctx) & RM_RESP3) {
        rm.ReplyWithMap(ctx, 1);
        rm.ReplyWithSimpleString(ctx, fields[i].name);
    } else {
        rm.ReplyWithArray(ctx, 1);
    }
    reply_figure(ctx, figures, i);
}

static int run_info(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct figures figures;
    struct bf_place p;
    size_t i = 0;

    if (argc > 3)
        return rm.WrongArity(ctx);
    if (!bf_place_need(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    figures = figures_of(&p);
    bf_place_close(&p);
    if (argc == 2) {
        reply_figures(ctx, &figures);
        return RM_OK;
    }
    while (i < FIELDS && !args_is(argv[2], fields[i].word))
        i++;
    if (i == FIELDS)
        return reply_error(ctx, "ERR Invalid information value");
    reply_one(ctx, &figures, i);
    return RM_OK;
}

/* ---- BF.CARD key -------------------------------------------------------- */

static int run_card(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_place p;

    (void)argc;
    if (!bf_place_open(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    rm.ReplyWithLongLong(ctx, bf_place_has(&p) ? (long long)figures_of(&p).items
                                               : 0);
    bf_place_close(&p);
    return RM_OK;
}

/* ---- BF.DEBUG key ------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void reply_line(rm_ctx *ctx,
                                                             const char *format,
                                                             ...)
{
    char text[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    rm.ReplyWithCString(ctx, text);
}

static void debug_chain(rm_ctx *ctx, const struct bf_chain *chain)
{
    rm.ReplyWithArray(ctx, 1 + (long)chain->n);
    reply_line(ctx, "size:%" PRIu64, chain->items);
    for (uint32_t i = 0; i < chain->n; i++) {
        const struct bf_link *link = &chain->links[i];

        reply_line(ctx,
                   "bytes:%" PRIu64 " bits:%" PRIu64 " hashes:%" PRIu32
                   " hashwidth:64 capacity:%" PRIu64 " size:%" PRIu64
                   " ratio:%g",
                   link->bits / 8, link->bits, link->hashes, link->capacity,
                   link->items, link->error);
    }
}

static int run_debug(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_place p;

    (void)argc;
    if (!bf_place_need(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    if (p.chain)
        debug_chain(ctx, p.chain);
    else
        reply_error(ctx, "ERR this filter is none of Bloom's; FR.INFO "
                         "describes it");
    bf_place_close(&p);
    return RM_OK;
}

/* ---- The table ---------------------------------------------------------- */

const struct command commands_bf_filters[] = {
    {"BF.RESERVE", run_reserve, "write deny-oom", KEY_BOTH, -4,
     "key rate capacity [EXPANSION n] [NONSCALING]", "O(1)",
     "Make a Bloom filter for a number of items at an error rate", NULL},
    {"BF.INFO", run_info, "readonly fast", KEY_READ, -2,
     "key [CAPACITY|SIZE|FILTERS|ITEMS|EXPANSION]", "O(1)",
     "Answer capacity, size, filters, items and expansion, or one of them",
     NULL},
    {"BF.DEBUG", run_debug, "readonly fast", KEY_READ, 2, "key",
     "O(n) for n links", "Answer the items, and a line about each link",
     "added"},
    {"BF.CARD", run_card, "readonly fast", KEY_READ, 2, "key", "O(1)",
     "Answer how many items were new to a filter", NULL},
    {0},
};
