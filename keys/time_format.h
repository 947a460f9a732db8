/*
 * time_format.h - reads times in a format of strptime()
 */
#ifndef TIME_FORMAT_H
#define TIME_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"
#include "view.h"

/* Returns false and sets *why if times of this format do not determine the day,
   or strptime() does not read what strftime() writes. */
bool time_format_check(const char *format, struct fault *why);

/*
 * Reads the time, in nanoseconds since 1970.  A fraction of a second may follow
 * what the format describes.  Without %z or %s it is in the machine's zone;
 * without a year, in the latest one in which it is not after `latest`.  Returns
 * false if the text is not of this format.
 */
bool time_format_read(uint64_t *ns, struct view text, const char *format,
                      uint64_t latest);

#endif
