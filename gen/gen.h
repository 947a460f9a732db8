/*
 * gen.h - synthetic streams: the same records on every machine
 *
 * A generator yields records as 64-bit keys.  As text, a key is a decimal
 * number, or a line of a log, CSV or JSON if the kind has such.  Equal keys
 * have equal text, different keys have different text.
 *
 * Random values come from the seed by integer arithmetic or by the functions of
 * exact_math.h, never from the system's mathematical library, whose last bits
 * differ between machines.
 */
#ifndef GEN_H
#define GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

struct gen;
struct gen_params;

enum { GEN_TEXT = 320 }; /* longest record as text, with its mark of --truth */

/*
 * Opens a stream.  spec is "KIND" or "KIND:name=value,...", as in
 * "uniform:n=1e9,distinct=15%,seed=1"; the names are those of the command's
 * options, long or of one letter.  Returns -1 and sets *why if spec is wrong.
 */
int gen_open(struct gen **out, const char *spec, struct fault *why);

/* Opens a stream with given parameters (params.h), to which spec adds. */
int gen_open_params(struct gen **out, const char *spec,
                    const struct gen_params *params, struct fault *why);

void gen_free(struct gen *g);

/*
 * Writes the keys of the next n records.  Returns their number: fewer at the
 * end, 0 after it.  repeat may be NULL; otherwise repeat[i] becomes 1 if the
 * key came before in this stream, provided that gen_knows_truth(), and is left
 * alone if not.  A stream that is read with repeat must be read with it from
 * its first record on.
 */
size_t gen_next(struct gen *g, uint64_t *key, uint8_t *repeat, size_t n);

/* Returns whether gen_next() can tell new records from repeats. */
bool gen_knows_truth(const struct gen *g);

/* Returns a bound that all keys are below, so that a bitmap can find the
   repeats; 0 if there is no useful bound. */
uint64_t gen_universe(const struct gen *g);

/* Returns the number of records, or 0 if the stream does not end. */
uint64_t gen_records(const struct gen *g);

/* Returns the expected number of different keys, or NaN if it is unknown. */
double gen_distinct(const struct gen *g);

/* Writes a key's record with its newline to out[GEN_TEXT] and returns its
   length. */
size_t gen_text(const struct gen *g, char *out, uint64_t key);

/*
 * Writes the records of n keys and returns their length; out has GEN_TEXT bytes
 * for each.  If repeat is not NULL, "0" or "1" and a tab precede each record.
 */
size_t gen_texts(const struct gen *g, char *out, const uint64_t *key,
                 const uint8_t *repeat, size_t n);

/* Returns whether records have more text than the digits of the key. */
bool gen_is_text(const struct gen *g);

/* Return the name and the summary of the i-th kind, NULL after the last. */
const char *gen_kind_name(size_t i);
const char *gen_kind_summary(size_t i);

/* Returns the parameters of a kind besides records and seed: "universe
   distinct". */
const char *gen_kind_takes(size_t i);

#endif
