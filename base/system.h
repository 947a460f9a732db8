/*
 * system.h - what Linux has beyond POSIX, behind names of our own
 */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills n bytes, at most 256, that nobody can guess.  False: there are none. */
bool system_random(void *to, size_t n);

/* Draws a seed that is not zero.  False: the system has no random bytes. */
bool system_random_seed(uint64_t *seed);

/*
 * Asks for huge pages for the whole pages between at and at + bytes: with
 * small ones most accesses to a large table miss the page tables.  The system
 * may refuse; then nothing is lost.
 */
void system_want_huge_pages(void *at, size_t bytes);

/* Asks for more room in a pipe; nothing happens if fd is none. */
void system_widen_pipe(int fd);

/* Returns where byte stands last in len bytes, or NULL. */
const char *system_last_byte(const char *at, char byte, size_t len);

#endif
