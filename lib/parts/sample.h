/*
 * sample.h - evenly spread lines of a block
 *
 * Keys are spread over lines by their hashes, so that a share of the lines
 * tells about all of them.  A sample is every step-th run of 16 lines.  The
 * lines of a run lie in one page, so that few pages are touched.
 */
#ifndef FR_SAMPLE_H
#define FR_SAMPLE_H

#include <stdint.h>

enum { FR_SAMPLE_RUN = 16 };

/* Returns the line of the sample that follows this one. */
static inline uint64_t fr_sample_next(uint64_t line, uint64_t step)
{
    line++;
    return line % FR_SAMPLE_RUN ? line : line + FR_SAMPLE_RUN * (step - 1);
}

#endif
