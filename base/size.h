/*
 * size.h - converts "64M" to bytes and back
 */
#ifndef SIZE_H
#define SIZE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a number of bytes in the form of the coreutils: K M G T P E and KiB ...
 * are powers of 1024, KB MB ... powers of 1000, no suffix is bytes.  Small
 * letters and fractions of a unit, "1.5G", are accepted.  Returns false, and
 * leaves bytes alone, if it is no such size or above 2^64 - 1.
 */
bool size_read(uint64_t *bytes, const char *text);

/* Reads such a number above 0, or a share of the machine's memory: "25%". */
bool size_read_memory(uint64_t *bytes, const char *text);

/* Writes "16M", "1.5G" or "300": exactly if that is short, else to three
   digits.  Returns out. */
enum { SIZE_TEXT = 16 };
const char *size_text(char out[SIZE_TEXT], uint64_t bytes);

#endif
