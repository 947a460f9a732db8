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
 * or a date of ISO 8601 and RFC 5424, with or without a time:
 *
 *     2024-05-01   2024-05-01T12:34Z   2024-05-01 12:34:56.789+02:00
 *     20240501T123456Z
 *
 * or the time of a web log, or that of RFC 3164 (syslog):
 *
 *     01/May/2024:12:34:56 +0000
 *     May  1 12:34:56
 *
 * T may be t or a space, a comma may begin the fraction, a space may stand
 * before the offset, and the offset may be +hh:mm, +hhmm or +hh.  Without an
 * offset it is UTC.  The time of RFC 3164 has neither year nor zone: it is in
 * the machine's own zone, in the latest year in which it is not in the future.
 * A leap second counts as the first of the next minute.  Blanks and brackets
 * around the text and a priority such as <34> in front of it are left out;
 * digits finer than a nanosecond are cut off.
 */
#ifndef TIMESTAMP_H
#define TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "view.h"

/*
 * Sets *ns to nanoseconds since 1970.  Times without a year are not after
 * `latest`, also in nanoseconds.  Returns false, and leaves *ns alone, if the
 * text is no such time, or one before 1970 or after July 2554, the last time
 * that fits.
 */
bool timestamp_read(uint64_t *ns, struct view text, uint64_t latest);

#endif
