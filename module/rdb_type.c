/*
 * rdb_type.c - the native type: saving, loading, copying, freeing
 *
 * In an RDB file, and so in what DUMP answers, a filter is
 *
 *     bytes      of the block
 *     chunks     of its bytes: chunks.h
 *     answers    how many, then oldest first: client, verdicts, number of
 *                the request, checksum of the request
 *
 * What is loaded is not trusted and is checked like any other block.
 */
#include "rdb_type.h"

#include <string.h>

#include "chunks.h"
#include "filter_value.h"
#include "memory_limit.h"
#include "saved_block.h"

enum { ENCODING = 1, AOF_CHUNK = 1 << 20, PAGE = 4096 };

#define MAX_BLOCK (UINT64_C(1) << 48)

rm_type *type_filter;

/* ---- RDB -------------------------------------------------------------- */

static void save(rm_io *rdb, void *data)
{
    const struct value *value = data;
    const struct replay_cache *answers = &value->answers;

    rm.SaveUnsigned(rdb, value_block_bytes(value));
    chunks_save(rdb, value->room.block, value_block_bytes(value));
    rm.SaveUnsigned(rdb, answers->n);
    for (size_t i = answers->n; i > 0; i--) {
        const struct answer *a = &answers->at[i - 1];

        rm.SaveStringBuffer(rdb, a->text, a->name);
        rm.SaveStringBuffer(rdb, a->text + a->name, a->verdicts);
        rm.SaveUnsigned(rdb, a->seq);
        rm.SaveUnsigned(rdb, a->request);
    }
}

static const char *load_block(rm_io *rdb, struct room *room)
{
    uint64_t bytes = rm.LoadUnsigned(rdb);

    if (rm.IsIOError(rdb))
        return "it is cut short";
    if (bytes == 0 || bytes > MAX_BLOCK)
        return "its size makes no sense";
    if (!memory_limit_allows(bytes))
        return "freshet.max-memory leaves less than it needs";
    if (!room_make(room, bytes))
        return "there is no memory for it";
    return chunks_load(rdb, room->block, bytes);
}

static const char *load_answer(rm_io *rdb, struct replay_cache *answers)
{
    size_t len = 0, verdicts = 0;
    char *name = rm.LoadStringBuffer(rdb, &len);
    char *text = rm.LoadStringBuffer(rdb, &verdicts), *to = NULL;
    uint64_t seq = rm.LoadUnsigned(rdb), request = rm.LoadUnsigned(rdb);

    if (name && text && !rm.IsIOError(rdb))
        to = replay_cache_keep(answers, name, len, seq, request, verdicts);
    if (to)
        memcpy(to, text, verdicts);
    if (name)
        rm.Free(name);
    if (text)
        rm.Free(text);
    return to ? NULL : "an answer makes no sense";
}

static const char *load_answers(rm_io *rdb, struct replay_cache *answers)
{
    uint64_t n = rm.LoadUnsigned(rdb);
    const char *trouble = NULL;

    if (rm.IsIOError(rdb) || n > REPLAY_CACHE_MOST)
        return "its answers make no sense";
    for (; n && !trouble; n--)
        trouble = load_answer(rdb, answers);
    return trouble;
}

static void *refuse(rm_io *rdb, const char *trouble)
{
    rm.LogIOError(rdb, "warning", "a freshet filter is refused: %s", trouble);
    return NULL;
}

static void *load(rm_io *rdb, int encoding)
{
    struct room room = {0};
    struct value *value;
    const char *trouble;
    freshet_error err;

    if (encoding != ENCODING)
        return refuse(rdb, "it was written by a newer freshet");
    trouble = load_block(rdb, &room);
    if (trouble) {
        room_free(&room);
        return refuse(rdb, trouble);
    }
    value = value_attach(&room, &err);
    if (!value)
        return refuse(rdb, err.message);
    trouble = value_block_bytes(value) == value->room.bytes
                  ? load_answers(rdb, &value->answers)
                  : "its size makes no sense";
    if (!trouble)
        return value;
    value_free(value);
    return refuse(rdb, trouble);
}

/* ---- AOF -------------------------------------------------------------- */

/* Writes the commands that make the filter anew. */
static void rewrite(rm_io *aof, rm_string *key, void *data)
{
    const struct value *value = data;
    const struct replay_cache *answers = &value->answers;
    const char *block = value->room.block;
    freshet_hash sum = saved_block_trailer(value->filter);
    long long bytes = (long long)value_block_bytes(value);
    long long total = bytes + SAVED_BLOCK_TRAILER;

    for (long long i = 0, n; i < bytes; i += n) {
        n = bytes - i < AOF_CHUNK ? bytes - i : AOF_CHUNK;
        rm.EmitAOF(aof, "FR.LOAD", "sllb", key, i, total, block + i, (size_t)n);
    }
    rm.EmitAOF(aof, "FR.LOAD", "sllb", key, bytes, total, (const char *)&sum,
               sizeof sum);
    for (size_t i = answers->n; i > 0; i--) {
        const struct answer *a = &answers->at[i - 1];

        rm.EmitAOF(aof, "FR.ANSWER", "sbllb", key, a->text, a->name,
                   (long long)a->seq, (long long)a->request, a->text + a->name,
                   a->verdicts);
    }
}

/* ---- The rest --------------------------------------------------------- */

static size_t usage(const void *data)
{
    return value_bytes(data);
}

/* Digests every byte by the file's checksum: SHA-1 would take seconds. */
static void digest(rm_digest *md, void *data)
{
    const struct value *value = data;
    freshet_hash sum = saved_block_trailer(value->filter);

    rm.DigestAddStringBuffer(md, (const char *)&sum, sizeof sum);
    for (size_t i = 0; i < value->answers.n; i++) {
        const struct answer *a = &value->answers.at[i];

        rm.DigestAddStringBuffer(md, a->text, a->name + a->verdicts);
        rm.DigestAddStringBuffer(md, (const char *)&a->seq, sizeof a->seq);
    }
    rm.DigestEndSequence(md);
}

static void release(void *data)
{
    value_free(data);
}

/* Returns the number of pages to free: above 64, a thread of the server frees
   them. */
static size_t free_effort(rm_string *key, const void *data)
{
    (void)key;
    return value_bytes(data) / PAGE + 1;
}

static void *copy(rm_string *from, rm_string *to, const void *data)
{
    (void)from;
    (void)to;
    return memory_limit_allows(value_block_bytes(data)) ? value_copy(data)
                                                        : NULL;
}

/* Moves the value, not its block: blocks are large, and the filter points into
   its block. */
static int defrag(rm_defrag *ctx, rm_string *key, void **data)
{
    struct value *value = rm.DefragAlloc(ctx, *data);

    (void)key;
    if (value)
        *data = value;
    value = *data;
    for (size_t i = 0; i < value->answers.n; i++) {
        char *text = rm.DefragAlloc(ctx, value->answers.at[i].text);

        if (text)
            value->answers.at[i].text = text;
    }
    return 0;
}

int type_register(rm_ctx *ctx)
{
    struct rm_type_methods methods = {
        .version = RM_TYPE_VERSION,
        .rdb_load = load,
        .rdb_save = save,
        .aof_rewrite = rewrite,
        .mem_usage = usage,
        .digest = digest,
        .free = release,
        .free_effort = free_effort,
        .copy = copy,
        .defrag = defrag,
    };

    /* cppcheck-suppress danglingLifetime ; the server copies the methods */
    type_filter = rm.CreateDataType(ctx, TYPE_NAME, ENCODING, &methods);
    /* cppcheck-suppress danglingLifetime ; as above */
    return type_filter ? RM_OK : RM_ERR;
}
