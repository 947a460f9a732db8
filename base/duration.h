/*
 * duration.h - "24h" to nanoseconds and back
 */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"

/*
 * A number with a unit, ns us ms s m h d or w; a fraction will do ("1.5h"),
 * and so will a sum ("1h30m").  Exact to the nanosecond, what is finer is cut
 * off.  False, ns left alone and the reason in why, if it is no duration,
 * lasts no time at all, or is longer than 146 years: below 2^62, durations and
 * clocks can be added up.  A number without unit is refused: some tools would
 * take it for seconds, others for milliseconds.
 */
bool duration_read(uint64_t *ns, const char *text, struct fault *why);

/* The shortest way to write a duration: "1h30m". */
enum { DURATION_TEXT = 48 };
const char *duration_text(char out[DURATION_TEXT], uint64_t ns);

#endif
