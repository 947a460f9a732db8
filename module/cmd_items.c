/*
 * cmd_items.c - commands about items, hashed here
 *
 * FR.ADD and its like answer 1 for new, 0 for seen, as BF.ADD does; so does
 * FR.QUERY, which only asks.  FR.EXISTS answers 1 for seen, as BF.EXISTS does.
 */
#include "cold_batch.h"
#include "item_batch.h"
#include "reply.h"
#include "reserve.h"
#include "server_stats.h"

static void reply_new(rm_ctx *ctx, bool seen)
{
    rm.ReplyWithLongLong(ctx, !seen);
}

static void reply_seen(rm_ctx *ctx, bool seen)
{
    rm.ReplyWithLongLong(ctx, seen);
}

/* Makes a filter with the default options if the key has none. */
static bool make_default(struct place *p)
{
    struct reserve_args args = {0};

    return reserve(p, &args, NULL);
}

/* ---- Offering ---------------------------------------------------------- */

/*
 * Offers one item.  Its lines take a tenth of a microsecond to come from
 * memory: meanwhile the command is replicated and the key closed.  The filter
 * stays valid until the command ends.
 */
static void offer_one(struct place *p, const char *item, size_t len)
{
    struct value *value = p->value;
    freshet_hash hash = freshet_hash_key(value->filter, item, len);
    uint8_t seen;
    size_t fresh;

    freshet_prefetch(value->filter, &hash, 1);
    place_tick(p);
    place_wrote(p, NULL);
    place_close(p);
    fresh = freshet_offer_batch(value->filter, &hash, 1, &seen);
    server_stats_decided(1, fresh);
    rm.ReplyWithLongLong(p->ctx, (long long)fresh);
    if (fresh)
        rm.NotifyKeyspaceEvent(p->ctx, RM_NOTIFY_MODULE, "fr.add", p->name);
}

/* FR.ADD key item */
static int run_add(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;
    size_t len;
    const char *item = rm.StringPtrLen(argv[2], &len);

    (void)argc;
    if (!place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (p.value || make_default(&p))
        offer_one(&p, item, len);
    place_close(&p);
    return RM_OK;
}

/* Has a large batch wait until the pages of a cold filter are there.  Returns
   false if the command is to go on. */
static bool waits(const struct place *p, rm_string **items, size_t n,
                  rm_run *again)
{
    freshet_hash hashes[VERDICTS_BATCH];
    struct cold_batch *batch;

    if (!cold_batch_may_wait(p, n))
        return false;
    verdicts_hash(p->value->filter, items, COLD_BATCH_SAMPLE, hashes);
    batch = cold_batch_begin(p, n, hashes);
    if (!batch)
        return false;
    for (size_t at = 0, part; at < n; at += part) {
        part = n - at < VERDICTS_BATCH ? n - at : VERDICTS_BATCH;
        verdicts_hash(p->value->filter, items + at, part, hashes);
        cold_batch_add(batch, hashes, part);
    }
    cold_batch_wait(batch, again);
    return true;
}

/* Offers items to the filter at a place, and answers with an array, or lets the
   command run again later. */
static void offer(struct place *p, rm_string **items, size_t n, rm_run *again)
{
    size_t fresh;

    if (waits(p, items, n, again))
        return;
    place_tick(p);
    rm.ReplyWithArray(p->ctx, (long)n);
    fresh = item_batch_offer(p->ctx, p->value->filter, items, n, reply_new);
    server_stats_decided(n, fresh);
    place_wrote(p, fresh ? "fr.add" : NULL);
}

/* FR.MADD key item [item ...] */
static int run_madd(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;

    if (cold_batch_refused(ctx, argv[1]) ||
        !place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (p.value || make_default(&p))
        offer(&p, argv + 2, (size_t)argc - 2, run_madd);
    place_close(&p);
    return RM_OK;
}

/* FR.INSERT key [option of FR.RESERVE ...] [NOCREATE] ITEMS item [item ...] */
static int run_insert(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct reserve_args args = {0};
    bool nocreate = false;
    struct place p;
    int at = 2;

    if (!args_read(ctx, reserve_options, &args, argv, argc, &at))
        return RM_OK;
    if (at < argc && args_is(argv[at], "NOCREATE")) {
        nocreate = true;
        at++;
    }
    if (at >= argc - 1 || !args_is(argv[at], "ITEMS"))
        return reply_error(ctx, "ERR ITEMS item ... must come after the "
                                "options, NOCREATE last among them");
    if (cold_batch_refused(ctx, argv[1]) ||
        (nocreate ? !place_need(&p, ctx, argv[1], RM_READ | RM_WRITE)
                  : !place_open(&p, ctx, argv[1], RM_READ | RM_WRITE)))
        return RM_OK;
    if (p.value || reserve(&p, &args, NULL))
        offer(&p, argv + at + 1, (size_t)(argc - at - 1), run_insert);
    place_close(&p);
    return RM_OK;
}

/* ---- Asking ------------------------------------------------------------ */

/* Queries items and answers for each; without a filter none was seen. */
static void ask(struct place *p, rm_string **items, size_t n,
                item_batch_reply *reply)
{
    item_batch_query(p->ctx, p->value ? p->value->filter : NULL, items, n,
                     reply);
}

/* FR.EXISTS key item */
static int run_exists(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;

    (void)argc;
    if (!place_open(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    ask(&p, argv + 2, 1, reply_seen);
    place_close(&p);
    return RM_OK;
}

/* FR.MEXISTS key item [item ...] */
static int run_mexists(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;

    if (!place_open(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    rm.ReplyWithArray(ctx, argc - 2);
    ask(&p, argv + 2, (size_t)argc - 2, reply_seen);
    place_close(&p);
    return RM_OK;
}

/*
 * FR.QUERY key item [item ...]
 *
 * This sets the filter's clock.  Otherwise an item that is queried again and
 * again, is seen and so never remembered, would be seen for ever.
 */
static int run_query(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;

    if (!place_need(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    place_tick(&p);
    rm.ReplyWithArray(ctx, argc - 2);
    ask(&p, argv + 2, (size_t)argc - 2, reply_new);
    place_close(&p);
    return RM_OK;
}

/* ---- Remembering and forgetting ---------------------------------------- */

static void remember(struct place *p, rm_string **items, size_t n)
{
    freshet_hash hashes[VERDICTS_BATCH];

    place_tick(p);
    for (size_t at = 0, part; at < n; at += part) {
        part = n - at < VERDICTS_BATCH ? n - at : VERDICTS_BATCH;
        verdicts_hash(p->value->filter, items + at, part, hashes);
        freshet_remember_batch(p->value->filter, hashes, part);
    }
    place_wrote(p, "fr.remember");
    reply_ok(p->ctx);
}

/* FR.REMEMBER key item [item ...] */
static int run_remember(rm_ctx *ctx, rm_string **argv, int argc)
{
    size_t n = (size_t)argc - 2;
    struct place p;

    if (cold_batch_refused(ctx, argv[1]) ||
        !place_need(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (!waits(&p, argv + 2, n, run_remember))
        remember(&p, argv + 2, n);
    place_close(&p);
    return RM_OK;
}

/* FR.FORGET key item [item ...] */
static int run_forget(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;
    long long forgotten = 0;
    int status = 0;

    if (!place_need(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    for (int i = 2; i < argc && status >= 0; i++) {
        size_t len;
        const char *item = rm.StringPtrLen(argv[i], &len);

        status = freshet_forget(p.value->filter, item, len);
        forgotten += status;
    }
    if (status < 0) { /* at the first one: it cannot forget at all */
        reply_error(ctx, "ERR this filter's algorithm cannot forget single "
                         "items; FR.LIST shows which can");
    } else {
        place_wrote(&p, forgotten ? "fr.forget" : NULL);
        rm.ReplyWithLongLong(ctx, forgotten);
    }
    place_close(&p);
    return RM_OK;
}

/* ---- The time ---------------------------------------------------------- */

/* FR.TICK key ms */
static int run_tick(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct place p;
    uint64_t ms;

    (void)argc;
    if (!command_is_echo(ctx))
        return reply_error(ctx, "ERR FR.TICK is for replicas and append-only "
                                "files: a filter goes by the server's clock");
    if (!command_count(&ms, argv[2]) || ms > INT64_MAX / COMMAND_TICKS)
        return reply_error(ctx, "ERR FR.TICK takes milliseconds since 1970");
    if (!place_need(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    freshet_tick(p.value->filter, ms * COMMAND_TICKS);
    place_wrote(&p, NULL);
    place_close(&p);
    return reply_ok(ctx);
}

/* ---- The table --------------------------------------------------------- */

#define ADD_CHANGED "a filter that exists is written to above maxmemory, too"

const struct command commands_items[] = {
    {"FR.ADD", run_add, "write fast", KEY_BOTH, 3, "key item", "O(1)",
     "Offer an item: 1 if it is new, 0 if it was seen; makes the filter",
     ADD_CHANGED},
    {"FR.MADD", run_madd, "write", KEY_BOTH, -3, "key item...",
     "O(n) for n items",
     "Offer items: 1 for each that is new, 0 for seen; makes the filter",
     ADD_CHANGED},
    {"FR.INSERT", run_insert, "write", KEY_BOTH, -4,
     "key options [NOCREATE] ITEMS item...", "O(n) for n items",
     "Offer items to a filter that is made with options if there is none",
     ADD_CHANGED},
    {"FR.EXISTS", run_exists, "readonly fast", KEY_READ, 3, "key item", "O(1)",
     "Ask about an item and change nothing: 1 if it was seen", NULL},
    {"FR.MEXISTS", run_mexists, "readonly", KEY_READ, -3, "key item...",
     "O(n) for n items",
     "Ask about items and change nothing: 1 for each that was seen", NULL},
    {"FR.QUERY", run_query, "write", KEY_BOTH, -3, "key item...",
     "O(n) for n items",
     "Answer what FR.MADD would, and remember nothing: 1 for new", NULL},
    {"FR.REMEMBER", run_remember, "write", KEY_WRITE, -3, "key item...",
     "O(n) for n items",
     "Remember items without asking, after FR.QUERY and delivery", ADD_CHANGED},
    {"FR.FORGET", run_forget, "write", KEY_BOTH, -3, "key item...",
     "O(n) for n items",
     "Forget items, where the algorithm can: how many there were", NULL},
    {"FR.TICK", run_tick, "write fast", KEY_WRITE, 3, "key ms", "O(1)",
     "Tell a filter the time; only a primary and an AOF may",
     "refused unless it was replicated or is loaded"},
    {0},
};
