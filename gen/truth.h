/*
 * truth.h - which records of a stream are repeats, exactly
 *
 * By construction where the generator knows, else by one bit for each key of
 * its universe.
 */
#ifndef GEN_TRUTH_H
#define GEN_TRUTH_H

#include "gen.h"

struct truth {
    struct gen *gen;
    uint64_t *seen; /* a bit per key; NULL: the generator knows */
};

/* Before the stream's first record.  -1 and a sentence, also if the machine
   has not the memory. */
int truth_open(struct truth *t, struct gen *g, struct fault *why);

/* As gen_next(), with each repeat told; not both of gen_next() and this. */
size_t truth_next(struct truth *t, uint64_t *key, uint8_t *repeat, size_t n);

/* Bytes that telling takes beside the generator. */
uint64_t truth_memory(const struct gen *g);

void truth_close(struct truth *t);

#endif
