/*
 * inflater.h - the interface of libraries that decode a gzip member
 *
 * codec_gzip.c finds where members begin and end; an inflater decodes one
 * member, and checks the checksum and the length after it.
 */
#ifndef INFLATER_H
#define INFLATER_H

#include "codec.h"

enum inflater_result {
    INFLATER_FAILED = -1, /* *why is set */
    INFLATER_MORE,        /* decoded as far as input and room allow */
    INFLATER_END          /* the member is complete */
};

struct inflater {
    /* Returns NULL and sets *why if there is no memory, or if the library
       cannot be loaded.  NULL: built without it. */
    void *(*create)(struct fault *why);
    /* Begins a new member. */
    void (*reset)(void *state);
    enum inflater_result (*step)(void *state, struct codec_io *io,
                                 struct fault *why);
    void (*free)(void *state);
    /* Lets a team decode the same data; NULL: the inflater cannot use one. */
    void (*use_team)(void *state, struct inflate_team *team);
};

/* ISA-L is about three times as fast as zlib. */
extern const struct inflater inflater_isal, inflater_zlib;

#endif
