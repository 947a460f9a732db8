/*
 * chunks.c - the bytes of a block in an RDB file
 */
#include "chunks.h"

#include <string.h>

#include "block_memory.h"

enum { CHUNK = 64 << 10 };

void chunks_save(rm_io *rdb, const char *block, size_t bytes)
{
    for (size_t i = 0, n; i < bytes; i += n) {
        n = bytes - i < CHUNK ? bytes - i : CHUNK;
        rm.SaveStringBuffer(rdb, block + i, all_zero(block + i, n) ? 0 : n);
    }
}

static const char *load_chunk(rm_io *rdb, char *to, size_t n)
{
    size_t len;
    char *chunk = rm.LoadStringBuffer(rdb, &len);

    if (!chunk || rm.IsIOError(rdb)) {
        if (chunk)
            rm.Free(chunk);
        return "it is cut short";
    }
    if (len == n)
        memcpy(to, chunk, n);
    rm.Free(chunk);
    return len == n || len == 0 ? NULL : "a chunk has the wrong size";
}

const char *chunks_load(rm_io *rdb, char *block, size_t bytes)
{
    const char *trouble = NULL;

    for (size_t i = 0, n; i < bytes && !trouble; i += n) {
        n = bytes - i < CHUNK ? bytes - i : CHUNK;
        trouble = load_chunk(rdb, block + i, n);
    }
    return trouble;
}
