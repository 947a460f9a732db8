/*
 * bf_type.c - the native type of Bloom chains: saving, loading, copying
 *
 * In an RDB file a chain is its header (bf_dump.h) as one string, then the
 * chunks (chunks.h) of each link's bits.
 */
#include "bf_type.h"

#include "bf_dump.h"
#include "chunks.h"
#include "memory_limit.h"

enum { ENCODING = 1, PAGE = 4096 };

rm_type *bf_type;

/* ---- RDB -------------------------------------------------------------- */

static void save(rm_io *rdb, void *data)
{
    const struct bf_chain *chain = data;
    size_t len;
    char *header = bf_dump_header(chain, &len);

    rm.SaveStringBuffer(rdb, header, len);
    rm.Free(header);
    for (uint32_t i = 0; i < chain->n; i++)
        chunks_save(rdb, chain->links[i].room.block,
                    chain->links[i].room.bytes);
}

static void *refuse(rm_io *rdb, const char *trouble)
{
    rm.LogIOError(rdb, "warning", "a Bloom filter is refused: %s", trouble);
    return NULL;
}

/* The chain of the header that comes next, its bits still zero. */
static struct bf_chain *load_header(rm_io *rdb, const char **trouble)
{
    size_t len = 0;
    char *header = rm.LoadStringBuffer(rdb, &len);
    struct bf_chain like, *chain = NULL;

    *trouble = "its header makes no sense";
    if (header && !rm.IsIOError(rdb) && bf_dump_read(&like, header, len)) {
        if (memory_limit_allows(bf_dump_bits(&like)))
            chain = bf_chain_of(&like);
        if (!chain)
            *trouble = "there is no memory for it, or freshet.max-memory "
                       "leaves less than it needs";
        bf_dump_forget(&like);
    }
    if (header)
        rm.Free(header);
    return chain;
}

static void *load(rm_io *rdb, int encoding)
{
    const char *trouble;
    struct bf_chain *chain;

    if (encoding != ENCODING)
        return refuse(rdb, "it was written by a newer freshet");
    chain = load_header(rdb, &trouble);
    if (!chain)
        return refuse(rdb, trouble);
    for (uint32_t i = 0; i < chain->n; i++) {
        trouble = chunks_load(rdb, chain->links[i].room.block,
                              chain->links[i].room.bytes);
        if (trouble) {
            bf_chain_free(chain);
            return refuse(rdb, trouble);
        }
    }
    return chain;
}

/* ---- AOF -------------------------------------------------------------- */

/* The commands that make the chain anew: RedisBloom's own. */
static void rewrite(rm_io *aof, rm_string *key, void *data)
{
    const struct bf_chain *chain = data;
    size_t len;
    char *header = bf_dump_header(chain, &len);
    struct bf_chunk chunk = {header, len, 1};

    for (; chunk.next; chunk = bf_dump_chunk(chain, chunk.next, BF_DUMP_PART))
        rm.EmitAOF(aof, "BF.LOADCHUNK", "slb", key, (long long)chunk.next,
                   chunk.bytes, chunk.len);
    rm.Free(header);
}

/* ---- The rest --------------------------------------------------------- */

static size_t usage(const void *data)
{
    return bf_chain_bytes(data);
}

/* Of every byte, by way of a checksum: SHA-1 would take seconds. */
static void digest(rm_digest *md, void *data)
{
    const struct bf_chain *chain = data;
    size_t len;
    char *header = bf_dump_header(chain, &len);

    rm.DigestAddStringBuffer(md, header, len);
    rm.Free(header);
    for (uint32_t i = 0; i < chain->n; i++) {
        const struct room *room = &chain->links[i].room;
        uint64_t sum = bf_murmur(room->block, room->bytes, i);

        rm.DigestAddStringBuffer(md, (const char *)&sum, sizeof sum);
    }
    rm.DigestEndSequence(md);
}

static void release(void *data)
{
    bf_chain_free(data);
}

/* Pages to give back: above 64 of them, a thread of the server does it. */
static size_t free_effort(rm_string *key, const void *data)
{
    (void)key;
    return bf_chain_bytes(data) / PAGE + 1;
}

static void *copy(rm_string *from, rm_string *to, const void *data)
{
    (void)from;
    (void)to;
    return memory_limit_allows(bf_dump_bits(data)) ? bf_chain_copy(data) : NULL;
}

/* Bits stay: most of them lie in large blocks. */
static int defrag(rm_defrag *ctx, rm_string *key, void **data)
{
    struct bf_chain *chain = rm.DefragAlloc(ctx, *data);
    struct bf_link *links;

    (void)key;
    if (chain)
        *data = chain;
    chain = *data;
    links = rm.DefragAlloc(ctx, chain->links);
    if (links)
        chain->links = links;
    return 0;
}

int bf_type_register(rm_ctx *ctx)
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
    bf_type = rm.CreateDataType(ctx, BF_TYPE_NAME, ENCODING, &methods);
    /* cppcheck-suppress danglingLifetime ; as above */
    return bf_type ? RM_OK : RM_ERR;
}
