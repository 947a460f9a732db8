/*
 * input_size.h - the size of the input, if it is known in advance
 */
#ifndef INPUT_SIZE_H
#define INPUT_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#define INPUT_SIZE_UNKNOWN UINT64_MAX

/* Returns the bytes left to read in a file; "-" is standard input.  The size is
   unknown if it is not a regular file, and 0 if it cannot be read. */
uint64_t input_size(const char *file);

/* Returns whether a file is regular and not compressed. */
bool input_is_plain(const char *file);

#endif
