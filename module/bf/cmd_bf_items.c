/*
 * cmd_bf_items.c - BF.* commands about items
 *
 * Replicas and the AOF get what was done as BF.MADD of the items that were
 * taken: should one of them have been refused, for want of memory or because
 * the filter is full, no other server has to come to the same conclusion.
 */
#include <string.h>
#include <strings.h>

#include "bf_args.h"
#include "bf_make.h"
#include "item_batch.h"
#include "reply.h"
#include "reserve.h"
#include "server_stats.h"

static void reply_new(rm_ctx *ctx, bool seen)
{
    rm.ReplyWithBool(ctx, !seen);
}

static void reply_seen(rm_ctx *ctx, bool seen)
{
    rm.ReplyWithBool(ctx, seen);
}

/* ---- Adding ------------------------------------------------------------- */

/* Returns whether the chain may grow if the item needs that.  Answers with
   an error if not. */
static bool may_grow(struct bf_place *p, struct bf_hash hash)
{
    uint64_t bytes = bf_chain_next_bytes(p->chain);

    return !bytes || bf_chain_has(p->chain, hash) ||
           reserve_fits(p->at.ctx, bytes);
}

/* Adds an item.  Returns false after an error; else tells whether the item
   is new. */
static bool add(struct bf_place *p, rm_string *item, bool *fresh)
{
    size_t len;
    const char *text = rm.StringPtrLen(item, &len);
    struct bf_hash hash = bf_hash(text, len);
    enum bf_verdict verdict;

    if (!may_grow(p, hash))
        return false;
    verdict = bf_chain_add(p->chain, hash);
    *fresh = verdict == BF_NEW;
    if (verdict == BF_FULL)
        reply_error(p->at.ctx, "ERR non scaling filter is full");
    else if (verdict == BF_NO_MEMORY)
        reply_error(p->at.ctx, "ERR problem inserting into filter");
    return verdict == BF_NEW || verdict == BF_SEEN;
}

/* Adds items and answers each until one is refused.  Returns how many were
   added. */
static size_t add_to_chain(struct bf_place *p, rm_string **items, size_t n,
                           size_t *fresh)
{
    size_t done = 0;
    bool is_new = false;

    for (*fresh = 0; done < n && add(p, items[done], &is_new); done++) {
        reply_new(p->at.ctx, !is_new);
        *fresh += is_new;
    }
    return done;
}

/* One of freshet's own filters takes every item. */
static size_t add_to_filter(struct bf_place *p, rm_string **items, size_t n,
                            size_t *fresh)
{
    place_tick(&p->at);
    *fresh =
        item_batch_offer(p->at.ctx, p->at.value->filter, items, n, reply_new);
    return n;
}

/* Returns the number of answers. */
static size_t add_all(struct bf_place *p, rm_string **items, size_t n)
{
    size_t fresh = 0;
    size_t done =
        (p->chain ? add_to_chain : add_to_filter)(p, items, n, &fresh);

    server_stats_decided(done, fresh);
    if (p->chain ? fresh : done) /* freshet's filters may note a repeat */
        rm.Replicate(p->at.ctx, "BF.MADD", "sv", p->at.name, items, done);
    if (fresh)
        rm.NotifyKeyspaceEvent(p->at.ctx, RM_NOTIFY_MODULE, "bf.add",
                               p->at.name);
    return done + (done < n);
}

static void add_array(struct bf_place *p, rm_string **items, size_t n)
{
    rm.ReplyWithArray(p->at.ctx, RM_POSTPONED);
    rm.ReplySetArrayLength(p->at.ctx, (long)add_all(p, items, n));
}

/* BF.ADD key item */
static int run_add(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_place p;

    (void)argc;
    if (!bf_place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (bf_place_has(&p) || bf_make(&p, &bf_default_shape))
        add_all(&p, argv + 2, 1);
    bf_place_close(&p);
    return RM_OK;
}

/* BF.MADD key item [item ...] */
static int run_madd(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_place p;

    if (!bf_place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (bf_place_has(&p) || bf_make(&p, &bf_default_shape))
        add_array(&p, argv + 2, (size_t)argc - 2);
    bf_place_close(&p);
    return RM_OK;
}

/* ---- BF.INSERT key [option ...] ITEMS item [item ...] ------------------- */

struct insert {
    struct bf_shape shape;
    bool nocreate, nonscaling;
    int items; /* where they begin */
};

static const struct bf_complaints complaints = {"ERR Bad error rate",
                                                "ERR Bad capacity",
                                                "ERR Bad expansion"};

enum word { ITEMS, ERROR, EXPANSION, CAPACITY, NOCREATE, NONSCALING, UNKNOWN };

/* RedisBloom looks only at the letters that a word begins with, in turn. */
static const char *const beginnings[UNKNOWN] = {"I", "ER",  "E",
                                                "C", "NOC", "N"};

static enum word word_of(rm_string *arg)
{
    const char *text = rm.StringPtrLen(arg, NULL);
    int word = 0;

    while (word < UNKNOWN &&
           strncasecmp(text, beginnings[word], strlen(beginnings[word])) != 0)
        word++;
    return (enum word)word;
}

static bool wrong_arity(rm_ctx *ctx)
{
    rm.WrongArity(ctx);
    return false;
}

static bool read_value(rm_ctx *ctx, struct insert *in, enum word word,
                       rm_string *value)
{
    if (word == ERROR)
        return bf_read_error(ctx, &in->shape, value, &complaints);
    if (word == CAPACITY)
        return bf_read_capacity(ctx, &in->shape, value, &complaints);
    return bf_read_expansion(ctx, &in->shape, value, &complaints);
}

/* Options up to ITEMS; *at is left there. */
static bool read_options(rm_ctx *ctx, struct insert *in, rm_string **argv,
                         int argc, int *at)
{
    enum word word;

    for (; *at < argc && (word = word_of(argv[*at])) != ITEMS; ++*at) {
        if (word == UNKNOWN) {
            reply_error(ctx, "ERR Unknown argument received");
            return false;
        }
        if (word == NOCREATE) {
            in->nocreate = true;
        } else if (word == NONSCALING) {
            in->nonscaling = true;
        } else if (*at + 1 == argc) {
            return wrong_arity(ctx);
        } else if (!read_value(ctx, in, word, argv[++*at])) {
            return false;
        }
    }
    return true;
}

static bool read_insert(rm_ctx *ctx, struct insert *in, rm_string **argv,
                        int argc)
{
    int at = 2;

    *in = (struct insert){.shape = bf_default_shape};
    if (!read_options(ctx, in, argv, argc, &at))
        return false;
    if (at >= argc - 1)
        return wrong_arity(ctx);
    in->items = at + 1;
    in->shape.scaling &= !in->nonscaling; /* whatever EXPANSION says */
    return true;
}

static int run_insert(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct insert in;
    struct bf_place p;

    if (!read_insert(ctx, &in, argv, argc))
        return RM_OK;
    if (in.nocreate ? !bf_place_need(&p, ctx, argv[1], RM_READ | RM_WRITE)
                    : !bf_place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (bf_place_has(&p) || bf_make(&p, &in.shape))
        add_array(&p, argv + in.items, (size_t)(argc - in.items));
    bf_place_close(&p);
    return RM_OK;
}

/* ---- Asking ------------------------------------------------------------- */

static void ask_chain(rm_ctx *ctx, const struct bf_chain *chain,
                      rm_string **items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t len;
        const char *text = rm.StringPtrLen(items[i], &len);

        reply_seen(ctx, bf_chain_has(chain, bf_hash(text, len)));
    }
}

/* A key of another type answers as one that is not there, as in RedisBloom. */
static void ask(rm_ctx *ctx, rm_string *key, rm_string **items, size_t n)
{
    struct bf_place p;

    (void)bf_place_find(&p, ctx, key, RM_READ);
    if (p.chain)
        ask_chain(ctx, p.chain, items, n);
    else
        item_batch_query(ctx, p.at.value ? p.at.value->filter : NULL, items, n,
                         reply_seen);
    bf_place_close(&p);
}

/* BF.EXISTS key item */
static int run_exists(rm_ctx *ctx, rm_string **argv, int argc)
{
    (void)argc;
    ask(ctx, argv[1], argv + 2, 1);
    return RM_OK;
}

/* BF.MEXISTS key item [item ...] */
static int run_mexists(rm_ctx *ctx, rm_string **argv, int argc)
{
    rm.ReplyWithArray(ctx, argc - 2);
    ask(ctx, argv[1], argv + 2, (size_t)argc - 2);
    return RM_OK;
}

/* ---- The table ---------------------------------------------------------- */

const struct command commands_bf_items[] = {
    {"BF.ADD", run_add, "write deny-oom fast", KEY_BOTH, 3, "key item",
     "O(k) for k hash functions",
     "Add an item: 1 if it is new, 0 if it was seen; makes the filter", NULL},
    {"BF.MADD", run_madd, "write deny-oom", KEY_BOTH, -3, "key item...",
     "O(k * n) for k hash functions and n items",
     "Add items: 1 for each that is new; makes the filter", NULL},
    {"BF.INSERT", run_insert, "write deny-oom", KEY_BOTH, -4,
     "key [CAPACITY capacity] [ERROR rate] [EXPANSION n] [NOCREATE] "
     "[NONSCALING] ITEMS item...",
     "O(k * n) for k hash functions and n items",
     "Add items to a filter that is made with options if there is none", NULL},
    {"BF.EXISTS", run_exists, "readonly fast", KEY_READ, 3, "key item",
     "O(k) for k hash functions", "Ask about an item: 1 if it was seen", NULL},
    {"BF.MEXISTS", run_mexists, "readonly fast", KEY_READ, -3, "key item...",
     "O(k * n) for k hash functions and n items",
     "Ask about items: 1 for each that was seen", NULL},
    {0},
};
