/*
 * codec.h - what the decoders of compressed input have in common
 */
#ifndef CODEC_H
#define CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"

/* Bytes to take and room to fill; decoding moves both. */
struct codec_io {
    const unsigned char *in;
    size_t in_len;
    unsigned char *out;
    size_t out_len;
};

struct codec {
    const char *name;      /* as messages call the format */
    const char *library;   /* that it takes */
    void *(*create)(void); /* NULL: built without; else NULL if no memory */
    /* Decode until the input is used up or the room is; -1 and a reason if
       the data is damaged. */
    int (*step)(void *state, struct codec_io *io, struct fault *why);
    /* May the input end here?  Else it was cut off. */
    bool (*is_whole)(const void *state);
    void (*free)(void *state);
};

extern const struct codec codec_gzip, codec_zstd, codec_lz4;

#endif
