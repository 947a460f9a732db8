/*
 * route.h - sorts the keys of a block by their parts
 */
#ifndef FR_ROUTE_H
#define FR_ROUTE_H

#include "freshet.h"

/* One implementation, for up to "most" parts.  All of them have the same
   results. */
struct fr_route_path {
    const char *name;
    unsigned most;

    /*
     * Writes the part of each key.  Part q has the keys from first[q] on by
     * their upper half, first[0] being 0.  NULL: the algorithm's own route()
     * is as fast.
     */
    void (*find)(const uint64_t *first, unsigned parts,
                 const freshet_hash *keys, size_t n, uint8_t *part);

    /* Adds the number of keys of part q to counts[q]. */
    void (*count)(const uint8_t *part, size_t n, unsigned parts,
                  uint32_t *counts);

    /* Moves n keys, the first of which is number "from", to their parts;
       next[q] is the place of the next key of part q.  sorted may be NULL. */
    void (*move)(const freshet_hash *keys, size_t from, size_t n,
                 const uint8_t *part, unsigned parts, uint32_t *next,
                 freshet_hash *sorted, uint32_t *at);
};

extern const struct fr_route_path fr_route_portable;
extern const struct fr_route_path fr_route_avx512;

/* Returns the implementations that this machine can run, best first; ends with
   NULL. */
const struct fr_route_path *const *fr_route_paths(void);

#endif
