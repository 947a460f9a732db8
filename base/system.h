/*
 * system.h - Linux functions beyond POSIX, behind names of our own
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills n bytes, at most 256, with unpredictable random ones.  Returns false if
   the system has none. */
bool system_random(void *to, size_t n);

/* Draws a seed that is not zero.  Returns false if the system has no random
   bytes. */
bool system_random_seed(uint64_t *seed);

/*
 * Asks for huge pages between at and at + bytes: with small pages most accesses
 * to a large table miss the TLB.  The system may refuse without harm.
 */
void system_want_huge_pages(void *at, size_t bytes);

/* Enlarges the buffer of a pipe.  Does nothing with other files. */
void system_widen_pipe(int fd);

/* Returns the last place of a byte in len bytes, or NULL. */
const char *system_last_byte(const char *at, char byte, size_t len);

#endif
