/*
 * tail.h - messages that the output got after the state was saved
 *
 * After a crash the input is decided again from the saved offset.  A message
 * that passes and is in the tail is already there: it is taken from the tail
 * instead of being produced.  The former run produced in order, so the first
 * message that passes and is not in the tail shows that everything left in the
 * tail was produced by others.
 */
#ifndef TAIL_H
#define TAIL_H

#include <stdbool.h>

#include "freshet.h"

struct tail_entry {
    freshet_hash identity;
    freshet_hash key;
    uint64_t time;
    int64_t offset;
    bool keyed; /* it has a key */
    bool taken;
};

struct tail {
    struct tail_entry *entry; /* in the order of the topic */
    size_t n, left;           /* left: not taken */
    size_t first;             /* no entry before it is left */
    uint32_t *slot;           /* a hash table: index of an entry + 1 */
    size_t mask;              /* slots - 1 */
};

/* Returns false if there is no memory, or there are too many entries. */
bool tail_add(struct tail *t, const struct tail_entry *entry);

/* Prepares for tail_take(), when all entries are added.  Returns false if there
   is no memory. */
bool tail_index(struct tail *t);

/* Removes the first entry left that has this identity.  Returns false if there
   is none. */
bool tail_take(struct tail *t, freshet_hash identity);

/* Returns the first entry that is left, or NULL. */
const struct tail_entry *tail_first(struct tail *t);

/* Removes all entries.  The tail may be used again. */
void tail_free(struct tail *t);

#endif
