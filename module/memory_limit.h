/*
 * memory_limit.h - how much memory all filters may have: freshet.max-memory
 */
#ifndef MEMORY_LIMIT_H
#define MEMORY_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* The setting, in bytes; 0: there is no limit. */
extern long long memory_limit;

/* Returns its default: three quarters of the machine's memory. */
long long memory_limit_default(void);

/* Returns the bytes that are left, UINT64_MAX if there is no limit. */
uint64_t memory_limit_left(void);

/*
 * Returns whether a value of this size may be loaded or copied.  Values of
 * files and of a primary always may; those that a client brings by RESTORE or
 * COPY only within the limit.
 */
bool memory_limit_allows(uint64_t bytes);

#endif
