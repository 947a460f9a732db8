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

#endif
