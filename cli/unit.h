/*
 * unit.h - shares of memory, lengths of time, single bytes
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdint.h>

/* All of these leave their result alone and say false if text is no such. */

/* "64M" as size_read() takes it, or "25%" of the machine's memory; above 0. */
bool unit_memory(uint64_t *bytes, const char *text);

/*
 * "30s", "5m", "24h", "7d", "250ms", "1h30m", "0.5s" in nanoseconds, above 0.
 * A bare number is seconds, as sleep takes it.
 */
bool unit_duration(uint64_t *ns, const char *text);

/* The shortest way to write a duration: "1h30m". */
enum { UNIT_TEXT = 48 };
const char *unit_duration_text(char out[UNIT_TEXT], uint64_t ns);

/* One byte: itself, or \t \n \r \0 \\ \xHH. */
bool unit_byte(int *byte, const char *text);

#endif
