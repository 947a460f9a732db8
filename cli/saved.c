/*
 * saved.c - the bytes of a saved filter: the block, then a trailer
 */
#include "saved.h"

#include <stdio.h>
#include <string.h>

/* A checksum is the block's hash, by the filter's own seed. */
freshet_hash saved_trailer(const freshet *f)
{
    size_t bytes;
    const void *block = freshet_block(f, &bytes);

    return freshet_hash_key(f, block, bytes);
}

static int damaged(freshet_error *err, size_t excess)
{
    err->status = FRESHET_ERR_DAMAGED;
    if (excess)
        snprintf(err->message, sizeof err->message,
                 "%zu bytes too many for the filter inside", excess);
    else
        snprintf(err->message, sizeof err->message,
                 "damaged: its checksum does not match");
    return err->status;
}

/* Are these the bytes of just this filter? */
static int check(const freshet *f, const char *saved, size_t len,
                 freshet_error *err)
{
    size_t bytes = len - SAVED_TRAILER, block;
    freshet_hash sum;

    (void)freshet_block(f, &block);
    if (block != bytes)
        return damaged(err, bytes - block);
    sum = saved_trailer(f);
    return memcmp(&sum, saved + bytes, SAVED_TRAILER) == 0 ? FRESHET_OK
                                                           : damaged(err, 0);
}

int saved_adopt(freshet **out, void *saved, size_t len, freshet_error *err)
{
    int status;

    *out = NULL;
    if (len <= SAVED_TRAILER) {
        err->status = FRESHET_ERR_DAMAGED;
        snprintf(err->message, sizeof err->message,
                 "too short for a saved filter");
        return err->status;
    }
    status = freshet_attach(out, saved, len - SAVED_TRAILER, err);
    if (status == FRESHET_OK)
        status = check(*out, saved, len, err);
    if (status < 0) {
        freshet_free(*out);
        *out = NULL;
    }
    return status;
}
