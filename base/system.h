/*
 * system.h - what Linux has beyond POSIX, behind names of our own
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fill n bytes, at most 256, with random ones that cannot be guessed.  Returns
   false if the system has none. */
bool system_random(void *to, size_t n);

/* Draw a seed that is not zero.  Returns false if the system has no random
   bytes. */
bool system_random_seed(uint64_t *seed);

/*
 * Ask for huge pages between at and at + bytes: with small pages most accesses
 * to a large table miss the TLB.  The system may refuse, which does no harm.
 */
void system_want_huge_pages(void *at, size_t bytes);

/* Ask for more room in a pipe.  Other files are left as they are. */
void system_widen_pipe(int fd);

/* Returns the last place of a byte in len bytes, or NULL. */
const char *system_last_byte(const char *at, char byte, size_t len);

#endif
