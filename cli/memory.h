/*
 * memory.h - what the machine can still give
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

/*
 * Bytes that can be taken without driving others out, as the kernel counts
 * them; UINT64_MAX if it does not say.
 */
uint64_t memory_available(void);

#endif
