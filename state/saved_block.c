/*
 * saved_block.c - the bytes of a saved filter: the block, then a trailer
 */
#include "saved_block.h"

#include <string.h>

/* The checksum is the hash of the block, by the filter's own hash and key. */
freshet_hash saved_block_trailer(const freshet *f)
{
    size_t bytes;
    const void *block = freshet_block(f, &bytes);

    return freshet_hash_key(f, block, bytes);
}

bool saved_block_adopt(freshet **out, void *saved, size_t len, size_t *used,
                       struct fault *why)
{
    freshet_error err;
    freshet_hash sum;
    size_t bytes;

    *out = NULL;
    if (len <= SAVED_BLOCK_TRAILER)
        return fault_set(why, "too short for a saved filter");
    if (freshet_attach(out, saved, len - SAVED_BLOCK_TRAILER, &err) < 0)
        return fault_set(why, "%s", err.message);
    (void)freshet_block(*out, &bytes);
    sum = saved_block_trailer(*out);
    *used = bytes + SAVED_BLOCK_TRAILER;
    if (memcmp(&sum, (const char *)saved + bytes, SAVED_BLOCK_TRAILER) == 0)
        return true;
    freshet_free(*out);
    *out = NULL;
    return fault_set(why, "damaged: its checksum does not match");
}
