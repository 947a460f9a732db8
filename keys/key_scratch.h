/*
 * key_scratch.h - memory in which keys of several parts are assembled
 *
 * A key of several parts is each part's length, then its bytes, so that ("ab",
 * "c") and ("a", "bc") differ; an absent part has a special length.
 */
#ifndef KEY_SCRATCH_H
#define KEY_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "view.h"

/* Initially all zero; one for each thread. */
struct key_scratch {
    char *at;
    size_t used, size;
    bool fold;        /* parts are folded to lower case as they are added */
    bool parts;       /* a part was added since key_scratch_begin() */
    struct view time; /* of a key that finds_time; at is NULL if missing */
    void *aside;      /* other memory that a kind of key needs */
    size_t aside_size;
};

void key_scratch_begin(struct key_scratch *scratch, bool fold);
void key_scratch_free(struct key_scratch *scratch);

/* Each returns false if there is no memory. */
bool key_add_part(struct key_scratch *scratch, struct view part);
bool key_add_absent(struct key_scratch *scratch);

/* Makes these bytes the whole key.  Returns false if there is no memory. */
bool key_set(struct key_scratch *scratch, struct view bytes);

/* Adds a part with a type from 0 to 15: parts with equal bytes and different
   types differ.  Returns false if there is no memory. */
bool key_add_typed(struct key_scratch *scratch, unsigned type,
                   struct view part);

/* Returns room for len bytes at the place of the next part, so that a part that
   is decoded there need not be copied; NULL if there is no memory. */
char *key_room(struct key_scratch *scratch, size_t len);

/* Returns the first part that is not absent; at is NULL if there is none. */
struct view key_first_part(const struct key_scratch *scratch);

/* Copies a view into the memory, folded to lower case.  Returns false if there
   is no memory. */
bool key_fold(struct key_scratch *scratch, struct view *key);

#endif
