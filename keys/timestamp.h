/*
 * timestamp.h - when something happened, from a field's text
 *
 * Either a number since 1970, possibly with a fraction, whose unit follows
 * from its size:
 *
 *     below 10^11   seconds        (until the year 5138)
 *     below 10^14   milliseconds   (from March 1973)
 *     below 10^17   microseconds
 *     otherwise     nanoseconds
 *
 * or a date of ISO 8601, with or without a time:
 *
 *     2024-05-01   2024-05-01T12:34Z   2024-05-01 12:34:56.789+02:00
 *     20240501T123456Z
 *
 * T may be t or a space, a comma may begin the fraction, a space may stand
 * before the offset, and the offset be +hh:mm, +hhmm or +hh.  Without an
 * offset it is UTC: neither locale nor time zone of the machine has a say.
 * A leap second counts as the first of the next minute.  Blanks around it are
 * skipped; digits finer than a nanosecond are cut off.
 */
#ifndef TIMESTAMP_H
#define TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "view.h"

/* Nanoseconds since 1970.  False, and ns left alone, if it is no such time,
   or before 1970, or after July 2554, the last that fits. */
bool timestamp_read(uint64_t *ns, struct view text);

#endif
