/*
 * set_portable.c - the set filter's loops in plain C
 */
#include "parts/bits.h"
#include "set.h"

static inline uint8_t line_add(uint64_t *line, freshet_hash key, uint32_t k,
                               bool store)
{
    uint64_t again = fr_set_again(key.lo), missing = 0;

    for (unsigned i = 0; i < 8; i++) {
        /* The distance of the word from the start: words closer than k are
           used, those closer than k - 8 a second time. */
        uint64_t behind = (i - (key.lo >> 61)) & 7;
        uint64_t bits = (uint64_t)(behind < k) << (key.lo >> i * 6 & 63);

        bits |= (uint64_t)(behind + 8 < k) << (again >> i * 6 & 63);
        missing |= bits & ~line[i];
        if (store)
            line[i] |= bits;
    }
    return missing == 0;
}

#include "set_kernel.h"

FR_SET_PATH(portable);
