/*
 * audit_table.h - the audit's sample: keys, by the names that it draws
 *
 * An open hash table of fixed size, with linear probing.
 */
#ifndef AUDIT_TABLE_H
#define AUDIT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct audit_slot {
    uint64_t name;  /* 64 bits of the key's hash; 0: free */
    uint64_t since; /* when its window began */
    uint64_t draw;  /* of the record that it began with; 0: was dropped */
};

struct audit_table {
    uint64_t slots, used;
    struct audit_slot *slot;
};

/* False if there is no memory. */
bool audit_table_open(struct audit_table *t, uint64_t bytes);
void audit_table_close(struct audit_table *t);

/* The slot of a name, or the free one where it belongs. */
struct audit_slot *audit_table_find(const struct audit_table *t, uint64_t name);

/* Fill a free slot that find() returned. */
void audit_table_add(struct audit_table *t, struct audit_slot *at,
                     uint64_t name);

void audit_table_remove(struct audit_table *t, struct audit_slot *at);

/* More than three quarters are in use: probing takes its time. */
bool audit_table_is_full(const struct audit_table *t);

/* Remove every slot that keep() does not want. */
void audit_table_sweep(struct audit_table *t,
                       bool (*keep)(const void *context,
                                    const struct audit_slot *s),
                       const void *context);

#endif
