/*
 * duration.h - "24h" to nanoseconds
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
 * lasts no time at all, or does not fit: the longest is about 584 years.
 */
bool duration_read(uint64_t *ns, const char *text, struct fault *why);

#endif
