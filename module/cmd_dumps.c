/*
 * cmd_dumps.c - FR.DUMP and FR.LOAD: filters as the bytes that freshet --state
 * saves
 */
#include <stdio.h>
#include <string.h>

#include "command_args.h"
#include "partial_load.h"
#include "reply.h"
#include "reserve.h"
#include "saved_block.h"
#include "server_command.h"

#define CHUNK     (UINT64_C(16) << 20) /* without COUNT */
#define CHUNK_MAX (UINT64_C(512) << 20)
#define TOTAL_MAX (UINT64_C(1) << 48)

/* ---- FR.DUMP key offset [COUNT bytes] ---------------------------------- */

/* Returns the last chunk with the trailer at its end, or NULL if there is no
   memory. */
static char *make_tail(const struct value *value, size_t offset, size_t len)
{
    freshet_hash sum = saved_block_trailer(value->filter);
    size_t bytes = value_block_bytes(value);
    size_t inside = offset < bytes ? bytes - offset : 0;
    char *chunk = rm.TryAlloc(len + 1);

    if (!chunk)
        return NULL;
    memcpy(chunk, (const char *)value->room.block + offset, inside);
    memcpy(chunk + inside, (const char *)&sum + (offset + inside - bytes),
           len - inside);
    return chunk;
}

static void dump(rm_ctx *ctx, const struct value *value, size_t offset,
                 size_t most)
{
    size_t bytes = value_block_bytes(value),
           total = bytes + SAVED_BLOCK_TRAILER;
    size_t len = total - offset < most ? total - offset : most;
    bool last = offset + len == total;
    char *tail = last ? make_tail(value, offset, len) : NULL;

    if (last && !tail) {
        reply_error(ctx,
                    "OOM no memory for a chunk of %zu bytes; ask for "
                    "fewer with COUNT",
                    len);
        return;
    }
    if (!last && offset + len > bytes)
        len = bytes - offset; /* the trailer stays in one chunk */
    rm.ReplyWithArray(ctx, 3);
    rm.ReplyWithLongLong(ctx, last ? 0 : (long long)(offset + len));
    rm.ReplyWithLongLong(ctx, (long long)total);
    rm.ReplyWithStringBuffer(ctx,
                             last ? tail
                                  : (const char *)value->room.block + offset,
                             len);
    rm.Free(tail);
}

static int run_dump(rm_ctx *ctx, rm_string **argv, int argc)
{
    uint64_t offset, most = CHUNK;
    struct place p;

    if (argc != 3 &&
        !(argc == 5 && args_is(argv[3], "COUNT") &&
          command_count(&most, argv[4]) && most > 0 && most <= CHUNK_MAX))
        return reply_error(ctx, "ERR after the offset comes COUNT bytes, at "
                                "most 512 MiB");
    if (!place_need(&p, ctx, argv[1], RM_READ))
        return RM_OK;
    if (command_count(&offset, argv[2]) &&
        offset < value_block_bytes(p.value) + SAVED_BLOCK_TRAILER)
        dump(ctx, p.value, offset, most);
    else
        reply_error(ctx, "ERR the offset must be 0, or the one that the chunk "
                         "before came with");
    place_close(&p);
    return RM_OK;
}

/* ---- FR.LOAD key offset total chunk [REPLACE] -------------------------- */

struct load {
    uint64_t offset, total;
    const char *chunk;
    size_t len;
    bool replace;
};

static bool read_load(rm_ctx *ctx, struct load *load, rm_string **argv,
                      int argc)
{
    load->chunk = rm.StringPtrLen(argv[4], &load->len);
    load->replace = argc == 6 && args_is(argv[5], "REPLACE");
    if ((argc == 5 || load->replace) && command_count(&load->offset, argv[2]) &&
        command_count(&load->total, argv[3]) && load->total <= TOTAL_MAX &&
        load->len > 0 && load->offset < load->total &&
        load->len <= load->total - load->offset)
        return true;
    reply_error(ctx, "ERR FR.LOAD takes a key, the chunk's offset, the total "
                     "number of bytes, the chunk, and perhaps REPLACE");
    return false;
}

/* Returns the load that a chunk belongs to.  Chunks come in order; offset 0
   begins a new load. */
static struct partial_load *partial_load_for(rm_ctx *ctx, rm_string *key,
                                             const struct load *load)
{
    struct partial_load *s = partial_load_find(ctx, key);

    if (load->offset == 0) {
        partial_load_drop(s); /* before memory is counted */
        if (!reserve_fits(ctx, load->total))
            return NULL;
        s = partial_load_begin(ctx, key, load->total);
        if (!s)
            reply_error(ctx, "OOM the system has no %llu bytes of memory left",
                        (unsigned long long)load->total);
        return s;
    }
    if (s && !s->header && s->filled == load->offset &&
        s->room.bytes == load->total)
        return s;
    reply_error(ctx, "ERR this chunk does not continue a load; begin again "
                     "with offset 0");
    return NULL;
}

/*
 * Replicas and the AOF learn of a load when it is done, as one transaction:
 * one that joins in the middle of it misses nothing.
 */
static void replicate(struct place *p, const struct load *load,
                      const struct room *room)
{
    enum { PART = 1 << 20 };
    const char *flag = load->replace ? "REPLACE" : NULL;

    for (size_t i = 0, n; i < room->bytes; i += n) {
        n = room->bytes - i < PART ? room->bytes - i : PART;
        rm.Replicate(p->ctx, "FR.LOAD", flag ? "sllbc" : "sllb", p->name,
                     (long long)i, (long long)room->bytes,
                     (const char *)room->block + i, n, flag);
    }
}

/*
 * Makes a filter of the bytes that were loaded.  A file of the program may have
 * notes on its keys after the filter: they are ignored here, and nothing else
 * may follow.
 */
static bool adopt(freshet **filter, const struct room *room, struct fault *why)
{
    static const char notes[8] = "frnotes";
    const char *saved = room->block;
    size_t used;

    if (!saved_block_adopt(filter, room->block, room->bytes, &used, why))
        return false;
    if (used == room->bytes || (room->bytes - used >= sizeof notes &&
                                memcmp(saved + used, notes, sizeof notes) == 0))
        return true;
    freshet_free(*filter);
    return fault_set(why, "%zu bytes too many for the filter inside",
                     room->bytes - used);
}

/* Makes the loaded bytes the key's value, or refuses them. */
static void finish(struct place *p, const struct load *load,
                   struct partial_load *s)
{
    struct fault why;
    freshet *filter;

    if (!adopt(&filter, &s->room, &why)) {
        reply_error(p->ctx, "ERR %s", why.text);
        partial_load_drop(s);
        return;
    }
    if (!command_is_echo(p->ctx))
        replicate(p, load, &s->room);
    place_set(p, value_of(filter, &s->room));
    partial_load_drop(s);
    rm.NotifyKeyspaceEvent(p->ctx, RM_NOTIFY_MODULE, "fr.load", p->name);
    rm.ReplyWithLongLong(p->ctx, 0);
}

static int run_load(rm_ctx *ctx, rm_string **argv, int argc)
{
    struct load load;
    struct place p;
    struct partial_load *s;

    if (!read_load(ctx, &load, argv, argc) ||
        !place_open(&p, ctx, argv[1], RM_READ | RM_WRITE))
        return RM_OK;
    if (p.value && !load.replace) {
        reply_error(ctx, "BUSYKEY Target key name already exists.");
    } else if ((s = partial_load_for(ctx, argv[1], &load))) {
        partial_load_add(s, load.chunk, load.len);
        if (s->filled == load.total)
            finish(&p, &load, s);
        else
            rm.ReplyWithLongLong(ctx, (long long)s->filled);
        if (command_is_echo(ctx))
            rm.ReplicateVerbatim(ctx);
    }
    place_close(&p);
    return RM_OK;
}

const struct command commands_dumps[] = {
    {"FR.DUMP", run_dump, "readonly", KEY_READ, -3, "key offset [COUNT n]",
     "O(n) for n bytes; the last chunk O(bytes)",
     "Answer a chunk of a filter's saved bytes: next offset, total, chunk",
     NULL},
    {"FR.LOAD", run_load, "write deny-oom", KEY_WRITE, -5,
     "key offset total chunk [REPLACE]",
     "O(n) for n bytes; the last chunk O(total)",
     "Load a filter chunk by chunk; it is there when the last was sound",
     "filters together are limited by freshet.max-memory"},
    {0},
};
