/*
 * codec.h - what the decoders of compressed input have in common
 */
#ifndef CODEC_H
#define CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "library.h"

/* Bytes to take and room to fill; decoding moves both. */
struct codec_io {
    const unsigned char *in;
    size_t in_len;
    unsigned char *out;
    size_t out_len;
};

struct codec {
    const char *name;    /* as messages call the format */
    const char *library; /* that decodes it */
    /* NULL: built without it.  Returns NULL and a reason if there is no memory,
       or if the library cannot be loaded. */
    void *(*create)(struct fault *why);
    /* Decode until the input is used up or the room is.  Returns -1 and a
       reason if that cannot be done. */
    int (*step)(void *state, struct codec_io *io, struct fault *why);
    /* Returns whether the input may end here; else it was cut off. */
    bool (*is_whole)(const void *state);
    void (*free)(void *state);
};

extern const struct codec codec_gzip, codec_zstd, codec_lz4, codec_xz,
    codec_bzip2;

/*
 * Reasons for a step to fail, which return -1: the data contradicts itself;
 * the system has no memory; the data was compressed so that decoding takes more
 * memory than a codec uses; the data does not go on as its format does.
 */
int codec_damaged(struct fault *why, const char *format, const char *detail);
int codec_no_memory(struct fault *why, const char *format);
int codec_too_large(struct fault *why, const char *format);
int codec_followed(struct fault *why, const char *format);

/* Loads the library that a codec needs, and returns bytes that are zero; or
   NULL and a reason. */
void *codec_create(struct library *library, const char *format, size_t bytes,
                   struct fault *why);

#endif
