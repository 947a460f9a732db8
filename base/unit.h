/*
 * unit.h - shares of memory, single bytes
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdint.h>

/* Both leave their result alone and say false if text is no such. */

/* "64M" as size_read() takes it, or "25%" of the machine's memory; above 0. */
bool unit_memory(uint64_t *bytes, const char *text);

/* One byte: itself, or \t \n \r \0 \\ \xHH. */
bool unit_byte(int *byte, const char *text);

#endif
