/*
 * audit_table.h - the table of drawn keys of an audit
 *
 * An open hash table of fixed size, with linear probing.
 */
#ifndef AUDIT_TABLE_H
#define AUDIT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct audit_slot {
    uint64_t name;  /* 64 bits of the key's hash; 0: free */
    uint64_t since; /* start of its window */
    uint64_t draw;  /* draw of the first record of the window; 0: it was
                       dropped */
};

struct audit_table {
    uint64_t slots, used;
    struct audit_slot *slot;
};

/* Returns false if there is no memory. */
bool audit_table_open(struct audit_table *t, uint64_t bytes);
void audit_table_close(struct audit_table *t);

/* Returns the slot of a name, or the free slot where it belongs. */
struct audit_slot *audit_table_find(const struct audit_table *t, uint64_t name);

/* Fills a free slot that audit_table_find() returned. */
void audit_table_add(struct audit_table *t, struct audit_slot *at,
                     uint64_t name);

void audit_table_remove(struct audit_table *t, struct audit_slot *at);

/* Returns whether more than three quarters are in use, which makes probing
   slow. */
bool audit_table_is_full(const struct audit_table *t);

/* Removes every slot for which keep() returns false. */
void audit_table_sweep(struct audit_table *t,
                       bool (*keep)(const void *context,
                                    const struct audit_slot *s),
                       const void *context);

#endif
