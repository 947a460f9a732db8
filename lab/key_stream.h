/*
 * key_stream.h - the streams that filters are measured on, with the truth
 *
 * A stream is described once and can then be read from its beginning by any
 * number of sources, side by side.
 *
 * Generated keys are hashed as the filter's own users' are: its seeded XXH3 of
 * the key's eight bytes.  freshet bench mixes numbers more cheaply instead,
 * because it wants the filter's time and no other; here verdicts must be the
 * ones that real records would get, and the seed must matter.
 */
#ifndef KEY_STREAM_H
#define KEY_STREAM_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"
#include "gen.h"
#include "input_keys.h"
#include "truth.h"

enum { SOURCE_BLOCK = 1024, STREAM_SPEC = 512, STREAM_GAPS = 64 };

struct stream {
    char spec[STREAM_SPEC];             /* with its seed */
    const struct input_keys *recording; /* NULL: generated */
    uint64_t records;
    uint64_t distinct; /* keys: expected, or counted in a recording */
    uint64_t truth;    /* bytes that telling the truth takes */

    /* The stream to theory, which averages over these; none where theory
       knows no such stream. */
    freshet_workload workload[STREAM_GAPS];
    size_t workloads;
    uint64_t reach; /* keys that repeats are spread over evenly, 0 if they
                       are not; UINT64_MAX: all that came */
};

/* A generator's; the seed is used where the spec says none.  False and a
   sentence. */
bool stream_of_spec(struct stream *s, const char *spec, uint64_t seed,
                    struct fault *why);

void stream_of_recording(struct stream *s, const struct input_keys *r,
                         const char *name);

struct source {
    const struct stream *stream;
    uint64_t at; /* records that were read */

    /* The block that was read last. */
    size_t n, repeats;
    const uint8_t *repeat;    /* 1 where the key came before, else 0 */
    const freshet_hash *hash; /* after source_hash() */

    struct gen *gen;
    struct truth truth;
    uint64_t key[SOURCE_BLOCK];
    uint8_t repeat_made[SOURCE_BLOCK];
    freshet_hash hash_made[SOURCE_BLOCK];
};

bool source_open(struct source *s, const struct stream *stream,
                 struct fault *why);

/* Read up to n records, no more than SOURCE_BLOCK. */
void source_next(struct source *s, size_t n);

/* Their hashes, as the filter hashes. */
void source_hash(struct source *s, const freshet *f);

void source_close(struct source *s);

#endif
