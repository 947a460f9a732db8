/*
 * handle.h - struct freshet, which is opaque in freshet.h
 */
#ifndef FR_HANDLE_H
#define FR_HANDLE_H

#include "algo.h"
#include "block.h"

struct freshet {
    const struct fr_algo *algo;
    struct fr_header *header;
    void *state;
    bool owned;
    struct fr_huge_pages pages;
    uint64_t cold; /* in a block of the caller's: keys below which many of its
                      pages are untouched */
    freshet_hasher hasher;
};

/* Faults in the pages that these keys will write, if that takes fewer faults
   than offering them. */
static inline void fr_fault_in(const freshet *f, const freshet_hash *keys,
                               size_t n)
{
    for (size_t i = 0; f->algo->lines && i < n; i++) {
        uint64_t *lines[2];

        f->algo->lines(f->state, keys[i], lines);
        fr_fault_for_writing(lines[0]);
    }
}

#endif
