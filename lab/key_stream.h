/*
 * key_stream.h - the streams of measurements, with known repeats
 *
 * A stream is described once and can then be read from its beginning by any
 * number of readers in parallel.
 *
 * Generated keys are hashed as users' keys are: by the filter's seeded XXH3 of
 * the key's eight bytes.  freshet bench mixes numbers more cheaply instead,
 * because it measures the time of the filter alone; here verdicts must be those
 * of real records, and depend on the seed.
 */
#ifndef KEY_STREAM_H
#define KEY_STREAM_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"
#include "gen.h"
#include "input_keys.h"
#include "truth.h"

enum { KEY_BLOCK = 1024, STREAM_SPEC = 512, STREAM_GAPS = 64 };

struct stream {
    char spec[STREAM_SPEC];             /* with its seed */
    const struct input_keys *recording; /* NULL: a generated stream */
    uint64_t records;
    uint64_t distinct; /* number of keys: expected, or counted in a recording */
    uint64_t truth;    /* bytes that finding the repeats takes */

    /* Descriptions of the stream for predictions, which are averaged; none if
       there is no theory of such a stream. */
    freshet_workload workload[STREAM_GAPS];
    size_t workloads;
    uint64_t reach; /* number of keys among which repeats are uniform, 0 if they
                       are not; UINT64_MAX: all so far */
};

/* Describes a generated stream; the seed is used if the spec has none.  Returns
   false and sets *why on error. */
bool stream_of_spec(struct stream *s, const char *spec, uint64_t seed,
                    struct fault *why);

void stream_of_recording(struct stream *s, const struct input_keys *r,
                         const char *name);

struct key_reader {
    const struct stream *stream;
    uint64_t at; /* number of records read */

    /* The last block. */
    size_t n, repeats;
    const uint8_t *repeat;    /* 1 if the key came before, else 0 */
    const freshet_hash *hash; /* after key_reader_hash() */

    struct gen *gen;
    struct truth truth;
    uint64_t key[KEY_BLOCK];
    uint8_t repeat_made[KEY_BLOCK];
    freshet_hash hash_made[KEY_BLOCK];
};

bool key_reader_open(struct key_reader *s, const struct stream *stream,
                     struct fault *why);

/* Reads up to n records, at most KEY_BLOCK. */
void key_reader_next(struct key_reader *s, size_t n);

/* Hashes them as the filter does. */
void key_reader_hash(struct key_reader *s, const freshet *f);

void key_reader_close(struct key_reader *s);

#endif
