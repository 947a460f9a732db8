/*
 * kind.h - what a generator is, to the rest of gen/
 *
 * One const struct gen_kind per file, all listed in kinds.c.
 */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "fault.h"
#include "params.h"

/* What a stream tells about itself; all zero before start(). */
struct gen_about {
    bool knows_truth;
    uint64_t universe;
    double distinct; /* NaN before start() */
};

struct gen_kind {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *takes;   /* parameters beside records and seed */
    size_t size;         /* of its state, which begins as zeroes */

    /* -1 and a sentence if the parameters make no stream. */
    int (*start)(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why);

    /* Records first to first + n, called in this order; repeat as in gen.h. */
    void (*next)(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n);

    void (*stop)(void *state); /* give back what start() took; may be NULL */

    /* A record's text with its newline; NULL: the key's decimal digits. */
    size_t (*text)(char *out, uint64_t key);
};

/* In the order in which they are shown; the last is NULL. */
extern const struct gen_kind *const gen_kinds[];

#endif
