/*
 * cmd_hashes.c - commands about keys that the client has hashed itself
 *
 * FR.INFO answers hash and seed.  A hash is 16 bytes, lo then hi, each
 * little-endian; a verdict is one character, '1' for new and '0' for seen.
 */
#include <string.h>

#include "cold_batch.h"
#include "command_args.h"
#include "number.h"
#include "reply.h"
#include "server_command.h"
#include "server_stats.h"

enum { BATCH = 256, HASH = sizeof(freshet_hash) };

/* The arguments [SEED n] [CLIENT id SEQ n [FIRST]]. */
struct numbered {
    const char *client; /* NULL: not given */
    size_t len;
    uint64_t seq;
    bool first;    /* the request was not sent before */
    uint64_t seed; /* seed of the hashes; 0: not given */
};

/* ---- Packed hashes ----------------------------------------------------- */

/* Copies up to BATCH hashes, since strings of the server are not aligned.
   Returns their number. */
static size_t unpack(freshet_hash hashes[BATCH], const char *packed, size_t n)
{
    n = n < BATCH ? n : BATCH;
    memcpy(hashes, packed, n * HASH);
    return n;
}

static void write_verdicts(char *verdicts, const uint8_t *seen, size_t n)
{
    for (size_t i = 0; i < n; i++)
        verdicts[i] = seen[i] == FRESHET_NEW ? '1' : '0';
}

/* Offers packed hashes.  Returns the number of new ones. */
static size_t offer(freshet *f, const char *packed, size_t n, char *verdicts)
{
    freshet_hash hashes[BATCH];
    uint8_t seen[BATCH];
    size_t fresh = 0;

    for (size_t at = 0, part; at < n; at += part) {
        part = unpack(hashes, packed + at * HASH, n - at);
        fresh += freshet_offer_batch(f, hashes, part, seen);
        write_verdicts(verdicts + at, seen, part);
    }
    server_stats_decided(n, fresh);
    return fresh;
}

static void query(const freshet *f, const char *packed, size_t n,
                  char *verdicts)
{
    freshet_hash hashes[BATCH];
    uint8_t seen[BATCH];

    for (size_t at = 0, part; at < n; at += part) {
        part = unpack(hashes, packed + at * HASH, n - at);
        freshet_query_batch(f, hashes, part, seen);
        write_verdicts(verdicts + at, seen, part);
    }
}

static void remember(freshet *f, const char *packed, size_t n)
{
    freshet_hash hashes[BATCH];

    for (size_t at = 0, part; at < n; at += part) {
        part = unpack(hashes, packed + at * HASH, n - at);
        freshet_remember_batch(f, hashes, part);
    }
}

/* Has a large batch wait until the pages of a cold filter are there.  Returns
   false if the command is to go on. */
static bool waits(const struct place *p, const char *packed, size_t n,
                  rm_run *again)
{
    freshet_hash hashes[BATCH];
    struct cold_batch *batch;

    if (!cold_batch_may_wait(p, n))
        return false;
    (void)unpack(hashes, packed, n);
    batch = cold_batch_begin(p, n, hashes);
    if (!batch)
        return false;
    for (size_t at = 0, part; at < n; at += part) {
        part = unpack(hashes, packed + at * HASH, n - at);
        cold_batch_add(batch, hashes, part);
    }
    cold_batch_wait(batch, again);
    return true;
}

/* ---- Options after the hashes ------------------------------------------ */

/* Returns false unless the word is a whole number of 64 bits above 0. */
static bool read_seed(uint64_t *seed, rm_string *word)
{
    size_t len;
    const char *text = rm.StringPtrLen(word, &len);

    for (size_t i = 0; i < len; i++)
        if (!number_is_digit(text[i]) || !number_append(seed, text[i]))
            return false;
    return *seed > 0;
}

/* [SEED n] [CLIENT id SEQ n [FIRST]]: the second only where it is allowed. */
static bool read_numbered(rm_ctx *ctx, struct numbered *numbered,
                          rm_string **argv, int argc, bool allowed)
{
    int at = 3;

    if (argc >= at + 2 && args_is(argv[at], "SEED") &&
        read_seed(&numbered->seed, argv[at + 1]))
        at += 2;
    if (at == argc)
        return true;
    numbered->first = argc == at + 5 && args_is(argv[at + 4], "FIRST");
    if (allowed && argc == at + 4 + numbered->first &&
        args_is(argv[at], "CLIENT") && args_is(argv[at + 2], "SEQ") &&
        command_count(&numbered->seq, argv[at + 3])) {
        numbered->client = rm.StringPtrLen(argv[at + 1], &numbered->len);
        if (numbered->len > 0 && numbered->len <= REPLAY_CACHE_NAME)
            return true;
    }
    reply_error(ctx,
                allowed ? "ERR after the hashes comes [SEED n] [CLIENT id SEQ "
                          "n [FIRST]]: an id of 1 to %d bytes, a number below "
                          "2^63"
                        : "ERR after the hashes comes [SEED n]",
                REPLAY_CACHE_NAME);
    return false;
}

/*
 * Opens the filter for packed hashes.  A filter that was made again may have
 * another seed than the hashes.  Returns false after answering with an error.
 */
static bool open_for(struct place *p, rm_ctx *ctx, rm_string *key, size_t len,
                     const struct numbered *numbered, int mode)
{
    if (len % HASH != 0) {
        reply_error(ctx, "ERR hashes are 16 bytes each");
        return false;
    }
    if (!place_need(p, ctx, key, mode))
        return false;
    if (!numbered->seed || numbered->seed == p->value->seed)
        return true;
    place_close(p);
    reply_error(ctx, "OTHERSEED the filter has another seed than these hashes; "
                     "FR.INFO tells which");
    return false;
}

/* ---- FR.MADDHASH key hashes [SEED n] [CLIENT id SEQ n [FIRST]] ---------- */

/* Returns a checksum of 63 bits, which fits a number of the protocol. */
static uint64_t checksum(const freshet *f, const char *packed, size_t len)
{
    return freshet_hash_key(f, packed, len).lo >> 1;
}

/*
 * A client that is not known may have been forgotten, and its request may have
 * been done: its keys would be called repeats of themselves.  So a client says
 * whether it sends a request for the first time.
 */
static bool is_forgotten(rm_ctx *ctx, const struct answer *a,
                         const struct numbered *numbered)
{
    if (a || numbered->first || command_is_echo(ctx))
        return false;
    reply_error(ctx, "FORGOTTEN no answer to this CLIENT is kept: the request "
                     "may have been done; say FIRST with a request that was "
                     "not sent before");
    return true;
}

/*
 * Repeats the first answer to a request that comes again.  Returns true if the
 * request was answered so, or refused.
 */
static bool answered(rm_ctx *ctx, const struct value *value,
                     const struct numbered *numbered, uint64_t request)
{
    const struct answer *a =
        replay_cache_find(&value->answers, numbered->client, numbered->len);

    if (is_forgotten(ctx, a, numbered))
        return true;
    if (!a || numbered->seq > a->seq)
        return false;
    if (numbered->seq < a->seq)
        reply_error(ctx,
                    "ERR SEQ %llu has been answered already, and SEQ "
                    "%llu after it: only the last answer is kept",
                    (unsigned long long)numbered->seq,
                    (unsigned long long)a->seq);
    else if (a->request != request)
        reply_error(ctx, "ERR SEQ %llu was another request; number each one",
                    (unsigned long long)numbered->seq);
    else {
        server_stats_repeated();
        rm.ReplyWithStringBuffer(ctx, a->text + a->name, a->verdicts);
    }
    return true;
}

static void answer(struct place *p, const char *packed, size_t n,
                   const struct numbered *numbered, uint64_t request)
{
    struct value *value = p->value;
    char *verdicts =
        numbered->client
            ? replay_cache_keep(&value->answers, numbered->client,
                                numbered->len, numbered->seq, request, n)
            : rm.Alloc(n + 1);
    size_t fresh;

    place_tick(p);
    fresh = offer(value->filter, packed, n, verdicts);
    rm.ReplyWithStringBuffer(p->ctx, verdicts, n);
    if (!numbered->client)
        rm.Free(verdicts);
    place_wrote(p, fresh ? "fr.add" : NULL);
}

static int run_maddhash(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct numbered numbered = {0};
    uint64_t request = 0;
    struct place p;
    size_t len;
    const char *packed = rm.StringPtrLen(argv[2], &len);

    if (!read_numbered(ctx, &numbered, argv, argc, true))
        return RM_OK;
    if (numbered.client && len / HASH > REPLAY_CACHE_VERDICTS)
        return reply_error(ctx, "ERR at most %d hashes in a numbered request",
                           REPLAY_CACHE_VERDICTS);
    if (cold_batch_refused(ctx, argv[1]) ||
        !open_for(&p, ctx, argv[1], len, &numbered, RM_READ | RM_WRITE))
        return RM_OK;
    if (numbered.client)
        request = checksum(p.value->filter, packed, len);
    if ((!numbered.client || !answered(ctx, p.value, &numbered, request)) &&
        !waits(&p, packed, len / HASH, run_maddhash))
        answer(&p, packed, len / HASH, &numbered, request);
    place_close(&p);
    return RM_OK;
}

/* ---- FR.QUERYHASH key hashes, FR.REMEMBERHASH key hashes --------------- */

/* Sets the filter's clock, as FR.QUERY does and for the same reason. */
static int run_queryhash(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct numbered numbered = {0};
    struct place p;
    size_t len;
    const char *packed = rm.StringPtrLen(argv[2], &len);
    char *verdicts;

    if (!read_numbered(ctx, &numbered, argv, argc, false) ||
        !open_for(&p, ctx, argv[1], len, &numbered, RM_READ))
        return RM_OK;
    verdicts = rm.Alloc(len / HASH + 1);
    place_tick(&p);
    query(p.value->filter, packed, len / HASH, verdicts);
    rm.ReplyWithStringBuffer(ctx, verdicts, len / HASH);
    rm.Free(verdicts);
    place_close(&p);
    return RM_OK;
}

static int run_rememberhash(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct numbered numbered = {0};
    struct place p;
    size_t len;
    const char *packed = rm.StringPtrLen(argv[2], &len);

    if (!read_numbered(ctx, &numbered, argv, argc, false) ||
        cold_batch_refused(ctx, argv[1]) ||
        !open_for(&p, ctx, argv[1], len, &numbered, RM_READ | RM_WRITE))
        return RM_OK;
    if (!waits(&p, packed, len / HASH, run_rememberhash)) {
        place_tick(&p);
        remember(p.value->filter, packed, len / HASH);
        place_wrote(&p, "fr.remember");
        reply_ok(ctx);
    }
    place_close(&p);
    return RM_OK;
}

/* ---- FR.ANSWER key client seq request verdicts ------------------------- */

static int run_answer(rm_ctx *ctx, rm_string **argv, int argc)
{
    size_t len, verdicts;
    const char *client = rm.StringPtrLen(argv[2], &len);
    const char *text = rm.StringPtrLen(argv[5], &verdicts);
    uint64_t seq, request;
    struct place p;
    char *to;

    (void)argc;
    if (!command_is_echo(ctx))
        return reply_error(ctx, "ERR FR.ANSWER is for replicas and append-only "
                                "files");
    if (!command_count(&seq, argv[3]) || !command_count(&request, argv[4]))
        return reply_error(ctx, "ERR FR.ANSWER takes two numbers after the "
                                "client");
    if (!place_need(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    to = replay_cache_keep(&p.value->answers, client, len, seq, request,
                           verdicts);
    if (to) {
        memcpy(to, text, verdicts);
        place_wrote(&p, NULL);
        reply_ok(ctx);
    } else {
        reply_error(ctx,
                    "ERR a client's id has 1 to %d bytes, its answer at "
                    "most %d",
                    REPLAY_CACHE_NAME, REPLAY_CACHE_VERDICTS);
    }
    place_close(&p);
    return RM_OK;
}

const struct command commands_hashes[] = {
    {"FR.MADDHASH", run_maddhash, "write", KEY_BOTH, -3,
     "key hashes [SEED n] [CLIENT id SEQ n [FIRST]]", "O(n) for n hashes",
     "Offer hashes, 16 bytes each: a string of 1 for new and 0 for seen",
     "SEED and FIRST; runs above maxmemory, too"},
    {"FR.QUERYHASH", run_queryhash, "write", KEY_BOTH, -3,
     "key hashes [SEED n]", "O(n) for n hashes",
     "Answer what FR.MADDHASH would, and remember nothing", "added"},
    {"FR.REMEMBERHASH", run_rememberhash, "write", KEY_WRITE, -3,
     "key hashes [SEED n]", "O(n) for n hashes",
     "Remember hashes without asking, after FR.QUERYHASH and delivery",
     "added"},
    {"FR.ANSWER", run_answer, "write", KEY_WRITE, 6,
     "key client seq request verdicts", "O(n) for n verdicts",
     "Restore a client's last answer; only a rewritten AOF may",
     "refused unless it was replicated or is loaded"},
    {0},
};
