/*
 * pending_keys.h - a set of hashes that is added to and taken from
 */
#ifndef PENDING_KEYS_H
#define PENDING_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "freshet.h"

/* All zero: empty. */
struct pending_keys {
    freshet_hash *slot; /* a zero hash: free */
    size_t n, size;     /* size is a power of two */
    bool has_zero;      /* the zero hash itself */
};

bool pending_keys_have(const struct pending_keys *set, freshet_hash hash);

/* Returns false if there is no memory. */
bool pending_keys_add(struct pending_keys *set, freshet_hash hash);

void pending_keys_remove(struct pending_keys *set, freshet_hash hash);
void pending_keys_free(struct pending_keys *set);

#endif
