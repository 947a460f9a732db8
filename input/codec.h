/*
 * codec.h - the interface of the decoders for compressed input
 */
#ifndef CODEC_H
#define CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "library.h"

struct inflate_team;

/* Input bytes and room for output; decoding advances both. */
struct codec_io {
    const unsigned char *in;
    size_t in_len;
    unsigned char *out;
    size_t out_len;
};

struct codec {
    const char *name;    /* name of the format in messages */
    const char *library; /* the library that decodes it */
    /* NULL: built without it.  Returns NULL and sets *why if there is no
       memory, or if the library cannot be loaded. */
    void *(*create)(struct fault *why);
    /* Decodes until the input is used up or the room is full.  Returns -1 and
       sets *why on error. */
    int (*step)(void *state, struct codec_io *io, struct fault *why);
    /* Returns whether the input may end here; else it was cut off. */
    bool (*is_whole)(const void *state);
    void (*free)(void *state);
    /* Lets a team decode the same data, of which no step has been made yet;
       NULL: the codec has no use for it. */
    void (*use_team)(void *state, struct inflate_team *team);
};

extern const struct codec codec_gzip, codec_zstd, codec_lz4, codec_xz,
    codec_bzip2;

/*
 * Reasons for a failed step; all return -1: the data is inconsistent; the
 * system has no memory; decoding this data needs more memory than a codec may
 * use; bytes follow that do not belong to the format.
 */
int codec_damaged(struct fault *why, const char *format, const char *detail);
int codec_no_memory(struct fault *why, const char *format);
int codec_too_large(struct fault *why, const char *format);
int codec_followed(struct fault *why, const char *format);

/* Loads the library of a codec and returns zeroed memory, or NULL and sets
   *why. */
void *codec_create(struct library *library, const char *format, size_t bytes,
                   struct fault *why);

#endif
