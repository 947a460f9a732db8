/*
 * codec.c - reasons why compressed data cannot be decoded
 */
#include "codec.h"

#include <stdio.h>
#include <stdlib.h>

int codec_damaged(struct fault *why, const char *format, const char *detail)
{
    fault_set(why, "%s data is damaged: %s", format, detail);
    return -1;
}

int codec_no_memory(struct fault *why, const char *format)
{
    fault_set(why, "no memory to decompress %s data", format);
    return -1;
}

int codec_too_large(struct fault *why, const char *format)
{
    fault_set(why,
              "decompressing this %s data takes more memory than is allowed; "
              "pipe it through %s -dc instead",
              format, format);
    return -1;
}

int codec_followed(struct fault *why, const char *format)
{
    fault_set(why, "%s data is followed by something else", format);
    return -1;
}

void *codec_create(struct library *library, const char *format, size_t bytes,
                   struct fault *why)
{
    char purpose[32];
    void *state;

    snprintf(purpose, sizeof purpose, "%s data", format);
    if (!library_load(library, purpose, why))
        return NULL;
    state = calloc(1, bytes);
    if (!state)
        codec_no_memory(why, format);
    return state;
}
