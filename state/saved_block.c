/*
 * saved_block.c - the bytes of a saved filter: the block, then a trailer
 */
#include "saved_block.h"

#include <stdio.h>
#include <string.h>

/* A checksum is the block's hash, by the filter's own seed. */
freshet_hash saved_block_trailer(const freshet *f)
{
    size_t bytes;
    const void *block = freshet_block(f, &bytes);

    return freshet_hash_key(f, block, bytes);
}

static int damaged(freshet_error *err, const char *message)
{
    err->status = FRESHET_ERR_DAMAGED;
    snprintf(err->message, sizeof err->message, "%s", message);
    return err->status;
}

int saved_block_adopt(freshet **out, void *saved, size_t len, size_t *used,
                      freshet_error *err)
{
    freshet_hash sum;
    size_t bytes;
    int status;

    *out = NULL;
    if (len <= SAVED_BLOCK_TRAILER)
        return damaged(err, "too short for a saved filter");
    status = freshet_attach(out, saved, len - SAVED_BLOCK_TRAILER, err);
    if (status < 0)
        return status;
    (void)freshet_block(*out, &bytes);
    sum = saved_block_trailer(*out);
    *used = bytes + SAVED_BLOCK_TRAILER;
    if (memcmp(&sum, (const char *)saved + bytes, SAVED_BLOCK_TRAILER) == 0)
        return FRESHET_OK;
    freshet_free(*out);
    *out = NULL;
    return damaged(err, "damaged: its checksum does not match");
}
