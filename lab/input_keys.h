/*
 * input_keys.h - a file's keys, kept as hashes, and the truth about them
 *
 * A file is read once and then run through many filters side by side: 17 bytes
 * a record, and while it is read another 21 to 32 for each distinct key.
 */
#ifndef INPUT_KEYS_H
#define INPUT_KEYS_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"

struct input_keys {
    freshet_hash *hash;
    uint8_t *repeat; /* 1 where the key came before */
    uint64_t records, repeats;
    uint64_t room;       /* records there is memory for */
    uint64_t left_out;   /* records without a key */
    uint64_t open_quote; /* line of a CSV quote that is never closed, or 0 */
    uint64_t digest;     /* of all hashes in their order */
};

struct extractor;

/* How a file's records are taken apart. */
struct input_keys_form {
    const struct extractor *extractor;
    bool as_is; /* compressed files are not looked for */
    void (*progress)(const char *name, uint64_t records); /* now and then */
};

/*
 * Read a file, "-" being standard input, as the filter reads it; keys are
 * hashed with the seed, as a filter of that seed would.  Returns false and why
 * if that fails; to be freed in any case.
 */
bool input_keys_read(struct input_keys *to, const struct input_keys_form *form,
                     const char *name, uint64_t seed, struct fault *why);

void input_keys_free(struct input_keys *r);

#endif
