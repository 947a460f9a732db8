/*
 * input_keys.h - a file's keys, kept as hashes, and the truth about them
 *
 * A file is read once and then run through many filters side by side: 17 bytes
 * a record, and while it is read another 21 to 32 for each distinct key.
 */
#ifndef INPUT_KEYS_H
#define INPUT_KEYS_H

#include "freshet.h"
#include "key.h"

struct input_keys {
    freshet_hash *hash;
    uint8_t *repeat; /* 1 where the key came before */
    uint64_t records, repeats;
    uint64_t room;     /* records there is memory for */
    uint64_t left_out; /* records without a key */
    uint64_t digest;   /* of all hashes in their order */
};

/* How a file's records are taken apart. */
struct input_keys_form {
    struct key *key;
    char delimiter;
    uint64_t max_record;
    bool as_is; /* compressed files are not looked for */
};

/*
 * Read a file, "-" being standard input; keys are hashed with the seed, as a
 * filter of that seed would.  CLI_GO, or CLI_TROUBLE after complaining; to be
 * freed in any case.
 */
int input_keys_read(struct input_keys *r, struct input_keys_form *form,
                    const char *name, uint64_t seed);

void input_keys_free(struct input_keys *r);

#endif
