/*
 * set.h - the set filter's state, shared by its code paths
 *
 * algo/set.c explains the filter.
 */
#ifndef FR_SET_H
#define FR_SET_H

#include "algo.h"

enum { FR_SET_LINE = 512, FR_SET_MAX_K = 16 };

struct set {
    uint64_t lines;
    uint64_t capacity; /* keys that the filter is planned for */
    uint32_t k, unused;
    uint64_t pad[2];
    uint64_t stored; /* live from here: keys that were new */
    uint64_t spare[2];
    uint64_t word[];
};
_Static_assert(sizeof(struct set) == 64, "part of the format");

/* Returns the positions of a second round of bits, as good as independent of
   the first. */
static inline uint64_t fr_set_again(uint64_t lo)
{
    return lo * UINT64_C(0x9e3779b97f4a7c15) >> 16;
}

/* One implementation of the hot loops, for the lines alone: the caller counts
   the stored keys.  All implementations write the same bytes. */
struct fr_set_path {
    const char *name;
    size_t (*offer)(void *state, const freshet_hash *keys, size_t n,
                    uint8_t *seen);
    size_t (*query)(const void *state, const freshet_hash *keys, size_t n,
                    uint8_t *seen);
};

extern const struct fr_set_path fr_set_portable;
extern const struct fr_set_path fr_set_avx2;
extern const struct fr_set_path fr_set_avx512;

/* Returns the implementations that this machine can run, best first; ends with
   NULL. */
const struct fr_set_path *const *fr_set_paths(void);

#endif
