/*
 * cmd_bf_dumps.c - BF.* commands for dumps, in RedisBloom's format
 *
 * A chain that is loaded stands aside (partial_load.h), header and bits one
 * after the other, until its last chunk is there.
 */
#include "bf_dump.h"
#include "bf_place.h"
#include "partial_load.h"
#include "reply.h"
#include "reserve.h"

enum { CHUNK = 16 << 20 };

/* ---- BF.SCANDUMP key iterator ------------------------------------------ */

static void reply_chunk(rm_ctx *ctx, struct bf_chunk chunk)
{
    rm.ReplyWithArray(ctx, 2);
    rm.ReplyWithLongLong(ctx, (long long)chunk.next);
    rm.ReplyWithStringBuffer(ctx, chunk.bytes, chunk.len);
}

static void reply_header(rm_ctx *ctx, const struct bf_chain *chain)
{
    size_t len;
    char *header = bf_dump_header(chain, &len);

    reply_chunk(ctx, (struct bf_chunk){header, len, 1});
    rm.Free(header);
}

static int run_scandump(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_place p;
    long long iterator;

    (void)argc;
    if (!bf_place_need(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    if (rm.StringToLongLong(argv[2], &iterator) != RM_OK)
        reply_error(ctx, "ERR Second argument must be numeric");
    else if (!p.chain)
        reply_error(ctx, "ERR this is not a Bloom filter but one of freshet's "
                         "own; FR.DUMP dumps it");
    else if (iterator == 0)
        reply_header(ctx, p.chain);
    else if (iterator < 0)
        reply_chunk(ctx, (struct bf_chunk){.bytes = ""});
    else
        reply_chunk(ctx, bf_dump_chunk(p.chain, (uint64_t)iterator, CHUNK));
    bf_place_close(&p);
    return RM_OK;
}

/* ---- BF.LOADCHUNK key iterator data ------------------------------------- */

/* Twice: when the last chunk is there, each link gets room of its own. */
static bool fits(rm_ctx *ctx, const struct bf_chain *like)
{
    return reserve_fits(ctx, 2 * bf_dump_bits(like));
}

static void begin(struct bf_place *p, const char *header, size_t len)
{
    rm_ctx *ctx = p->at.ctx;
    struct bf_chain like;
    struct partial_load *s;

    if (!bf_dump_read(&like, header, len)) {
        reply_error(ctx, "ERR received bad data");
        return;
    }
    partial_load_drop(partial_load_find(ctx, p->at.name));
    if (fits(ctx, &like)) {
        s = partial_load_begin(ctx, p->at.name, len + bf_dump_bits(&like));
        if (s) {
            s->header = len;
            partial_load_add(s, header, len);
            reply_ok(ctx);
        } else {
            reply_error(ctx, "ERR Insufficient memory to create filter");
        }
    }
    bf_dump_forget(&like);
}

/* Returns whether the chunk ends within the link that it begins in. */
static bool within_a_link(const struct bf_chain *like, uint64_t offset,
                          size_t len)
{
    uint64_t ends = 0;

    for (uint32_t i = 0; i < like->n; i++) {
        ends += like->links[i].bits / 8;
        if (offset < ends)
            return len <= ends - offset;
    }
    return false;
}

/* Chunks come in order; the iterator says where this one ends. */
static const char *trouble_with(const struct partial_load *s,
                                const struct bf_chain *like, long long iterator,
                                size_t len)
{
    uint64_t offset = s->filled - s->header;

    if (iterator < 1 || (uint64_t)iterator <= len)
        return "ERR received bad data";
    if ((uint64_t)iterator - 1 - len != offset)
        return "ERR invalid offset - no link found";
    if (!within_a_link(like, offset, len))
        return "ERR invalid chunk - Too big for current filter";
    return NULL;
}

static void replicate_chunk(struct bf_place *p, struct bf_chunk chunk)
{
    rm.Replicate(p->at.ctx, "BF.LOADCHUNK", "slb", p->at.name,
                 (long long)chunk.next, chunk.bytes, chunk.len);
}

/* Replicas and the AOF learn of a load when it is done, as one transaction. */
static void replicate(struct bf_place *p, const struct partial_load *s)
{
    struct bf_chunk chunk = {s->room.block, s->header, 1};

    for (; chunk.next;
         chunk = bf_dump_chunk(p->chain, chunk.next, BF_DUMP_PART))
        replicate_chunk(p, chunk);
}

static void fill(const struct bf_chain *chain, const char *bits)
{
    for (uint32_t i = 0; i < chain->n; i++) {
        const struct room *room = &chain->links[i].room;

        copy_sparse(room->block, bits, room->bytes);
        bits += room->bytes;
    }
}

/* All bits are there: make them the key's value. */
static void finish(struct bf_place *p, struct partial_load *s,
                   const struct bf_chain *like)
{
    struct bf_chain *chain = bf_chain_of(like);

    if (!chain) {
        reply_error(p->at.ctx, "ERR Insufficient memory to create filter");
        partial_load_drop(s);
        return;
    }
    fill(chain, (const char *)s->room.block + s->header);
    bf_place_set(p, chain);
    if (!command_is_echo(p->at.ctx))
        replicate(p, s);
    partial_load_drop(s);
    rm.NotifyKeyspaceEvent(p->at.ctx, RM_NOTIFY_MODULE, "bf.load", p->at.name);
    reply_ok(p->at.ctx);
}

static void load_chunk(struct bf_place *p, long long iterator,
                       const char *chunk, size_t len)
{
    struct partial_load *s = partial_load_find(p->at.ctx, p->at.name);
    struct bf_chain like;
    const char *trouble;

    if (!s || !s->header || !bf_dump_read(&like, s->room.block, s->header)) {
        reply_error(p->at.ctx, "ERR not found");
        return;
    }
    trouble = trouble_with(s, &like, iterator, len);
    if (trouble) {
        reply_error(p->at.ctx, "%s", trouble);
    } else {
        partial_load_add(s, chunk, len);
        if (s->filled == s->room.bytes)
            finish(p, s, &like);
        else
            reply_ok(p->at.ctx);
    }
    bf_dump_forget(&like);
}

static int run_loadchunk(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct bf_place p;
    long long iterator;
    size_t len;
    const char *chunk = rm.StringPtrLen(argv[3], &len);

    (void)argc;
    if (rm.StringToLongLong(argv[2], &iterator) != RM_OK)
        return reply_error(ctx, "ERR Second argument must be numeric");
    if (!bf_place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (bf_place_has(&p))
        reply_error(ctx, "ERR item exists");
    else if (iterator == 1)
        begin(&p, chunk, len);
    else
        load_chunk(&p, iterator, chunk, len);
    if (command_is_echo(ctx))
        rm.ReplicateVerbatim(ctx);
    bf_place_close(&p);
    return RM_OK;
}

const struct command commands_bf_dumps[] = {
    {"BF.SCANDUMP", run_scandump, "readonly", KEY_READ, 3, "key iterator",
     "O(n) for n bytes",
     "Answer a chunk of a filter in RedisBloom's format: next iterator, chunk",
     NULL},
    {"BF.LOADCHUNK", run_loadchunk, "write deny-oom", KEY_WRITE, 4,
     "key iterator data", "O(n) for n bytes",
     "Load a filter chunk by chunk; it is there when it is whole", NULL},
    {0},
};
