/*
 * duration.h - converts "24h" to nanoseconds and back
 */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"

/*
 * Reads a number with a unit, ns us ms s m h d or w, possibly with a fraction
 * ("1.5h"), or a sum of such ("1h30m").  The result is exact to the nanosecond,
 * rounded down.  Returns false, sets *why and leaves ns alone if it is no
 * duration, is 0, or is longer than 146 years: durations below 2^62 can be
 * added to clocks.  A number without a unit is refused, because some tools take
 * it for seconds and others for milliseconds.
 */
bool duration_read(uint64_t *ns, const char *text, struct fault *why);

/* Writes a duration in the shortest form: "1h30m".  Returns out. */
enum { DURATION_TEXT = 48 };
const char *duration_text(char out[DURATION_TEXT], uint64_t ns);

#endif
