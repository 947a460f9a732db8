/*
 * gen.h - synthetic streams: the same records on every machine
 *
 * A generator gives records as 64-bit keys.  Where records are text, a key is
 * written as a decimal number, or as the kind's own line of a log, CSV or JSON;
 * equal keys are equal text and different keys are different text.
 *
 * What is random comes from the seed by whole-number arithmetic, or by the
 * functions of exact_math.h: never from the system's mathematical library,
 * whose last bits differ from machine to machine.
 */
#ifndef GEN_H
#define GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

struct gen;
struct gen_params;

enum {
    GEN_TEXT = 320
}; /* bytes that one record takes at most, truth and all */

/*
 * "KIND" or "KIND:name=value,...", as in "uniform:n=1e9,distinct=15%,seed=1".
 * Names are those of the command's options, long or of one letter.
 * -1 and a sentence if there is no such stream.
 */
int gen_open(struct gen **out, const char *spec, struct fault *why);

/* The same with values that are read already (params.h); spec adds to them. */
int gen_open_params(struct gen **out, const char *spec,
                    const struct gen_params *params, struct fault *why);

void gen_free(struct gen *g);

/*
 * The keys of the next n records; fewer at the end, 0 after it.  repeat may be
 * NULL; else it is 1 where the key came before in this stream, if
 * gen_knows_truth(), and untouched if not.  A stream read with repeat is read
 * with it from its first record on.
 */
size_t gen_next(struct gen *g, uint64_t *key, uint8_t *repeat, size_t n);

/* The stream is made of new records and repeats: it can tell which is which. */
bool gen_knows_truth(const struct gen *g);

/* Keys are below this: a bitmap gives the truth.  0: no useful bound. */
uint64_t gen_universe(const struct gen *g);

/* How many records there will be, 0 if they do not end. */
uint64_t gen_records(const struct gen *g);

/* The expected number of different keys among them, NaN if unknown. */
double gen_distinct(const struct gen *g);

/* A key's record as text, with its newline, to out[GEN_TEXT]; its length. */
size_t gen_text(const struct gen *g, char *out, uint64_t key);

/*
 * The same for n keys at once, GEN_TEXT bytes each.  If repeat is not NULL, "0"
 * or "1" and a tab stand before each.
 */
size_t gen_texts(const struct gen *g, char *out, const uint64_t *key,
                 const uint8_t *repeat, size_t n);

/* Text is more than the key's digits. */
bool gen_is_text(const struct gen *g);

/* The kinds in their order, and what each is; NULL after the last. */
const char *gen_kind_name(size_t i);
const char *gen_kind_summary(size_t i);

/* What a kind takes beside records and seed: "universe distinct". */
const char *gen_kind_takes(size_t i);

#endif
