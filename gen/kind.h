/*
 * kind.h - the interface of a generator
 *
 * Each file defines one const struct gen_kind; kinds.c lists them all.
 */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "fault.h"
#include "params.h"

/* Properties of a stream; all zero before start(). */
struct gen_about {
    bool knows_truth;
    uint64_t universe;
    double distinct; /* NaN before start() */
};

struct gen_kind {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *takes;   /* parameters beside records and seed */
    size_t size;         /* size of its state, which start() gets zeroed */

    /* Returns -1 and sets *why if the parameters are invalid. */
    int (*start)(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why);

    /* Writes the keys of records first to first + n - 1.  Calls come in the
       order of the stream; repeat is described in gen.h. */
    void (*next)(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n);

    void (*stop)(void *state); /* frees what start() allocated; may be NULL */

    /* Writes a record with its newline; NULL: the key's decimal digits. */
    size_t (*text)(char *out, uint64_t key);
};

/* In the order of display; the last one is NULL. */
extern const struct gen_kind *const gen_kinds[];

#endif
