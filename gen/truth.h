/*
 * truth.h - finds exactly which records of a stream are repeats
 *
 * Some generators know it by construction; otherwise one bit is kept for each
 * key of the universe.
 */
#ifndef GEN_TRUTH_H
#define GEN_TRUTH_H

#include "gen.h"

struct truth {
    struct gen *gen;
    uint64_t *seen; /* a bit per key; NULL: the generator knows */
};

/* Must be called before the stream's first record is read.  Returns -1 and sets
   *why, also if the machine lacks the memory. */
int truth_open(struct truth *t, struct gen *g, struct fault *why);

/* The same as gen_next(), with repeat[] always set.  Do not mix with
   gen_next(). */
size_t truth_next(struct truth *t, uint64_t *key, uint8_t *repeat, size_t n);

/* Returns the bytes that truth_open() will allocate. */
uint64_t truth_memory(const struct gen *g);

void truth_close(struct truth *t);

#endif
