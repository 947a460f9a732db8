/*
 * input_keys.h - reads the keys of a file as hashes, and finds the repeats
 *
 * A file is read once and then offered to many filters in parallel: it takes 17
 * bytes per record, and another 21 to 32 for each distinct key while it is
 * read.
 */
#ifndef INPUT_KEYS_H
#define INPUT_KEYS_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"

struct input_keys {
    freshet_hash *hash;
    uint8_t *repeat; /* 1 if the key came before */
    uint64_t records, repeats;
    uint64_t room;       /* capacity in records */
    uint64_t left_out;   /* records without a key */
    uint64_t open_quote; /* line of a CSV quote that is never closed, or 0 */
    uint64_t digest;     /* digest of all hashes in their order */
};

struct extractor;

/* How a file is split into records and keys. */
struct input_keys_form {
    const struct extractor *extractor;
    bool as_is; /* do not decompress */
    /* called from time to time */
    void (*progress)(const char *name, uint64_t records);
};

/*
 * Reads a file, "-" being standard input, as the filter does; keys are hashed
 * as by a filter with that seed.  Returns false and sets *why on error; to be
 * freed in any case.
 */
bool input_keys_read(struct input_keys *to, const struct input_keys_form *form,
                     const char *name, uint64_t seed, struct fault *why);

void input_keys_free(struct input_keys *r);

#endif
