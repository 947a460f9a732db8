/*
 * input_size.h - how much there is to read, where that is known beforehand
 */
#ifndef INPUT_SIZE_H
#define INPUT_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#define INPUT_SIZE_UNKNOWN UINT64_MAX

/* Bytes left to read in a file; "-" is standard input.  Unknown for what is no
   regular file, 0 for what cannot be read. */
uint64_t input_size(const char *file);

/* Are a regular file's next bytes not those of a compressed one? */
bool input_is_plain(const char *file);

#endif
