/*
 * size.h - "64M" to bytes and back
 */
#ifndef SIZE_H
#define SIZE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes as the coreutils write them: K M G T P E and KiB ... are powers of
 * 1024, KB MB ... powers of 1000, no suffix is bytes.  Small letters will do,
 * and so will a fraction of a unit, "1.5G".  Returns false, and leaves bytes
 * alone, if it is no such size or above 2^64 - 1.
 */
bool size_read(uint64_t *bytes, const char *text);

/* The same above 0, or "25%" of the machine's memory. */
bool size_read_memory(uint64_t *bytes, const char *text);

/* "16M", "1.5G", "300": exact where that is short, else three digits. */
enum { SIZE_TEXT = 16 };
const char *size_text(char out[SIZE_TEXT], uint64_t bytes);

#endif
