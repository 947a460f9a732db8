/*
 * calendar.h - converts year, month and day to seconds since 1970
 */
#ifndef CALENDAR_H
#define CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#define CALENDAR_SECOND UINT64_C(1000000000) /* in nanoseconds */

struct calendar {
    int year, month, day; /* month and day from 1; year 0 to 9999 */
    int64_t seconds;      /* since midnight */
    bool local;           /* in the machine's own zone (TZ) */
    int64_t offset;       /* else: seconds that the zone is ahead of UTC */
};

/* Returns whether the day exists. */
bool calendar_is_day(const struct calendar *c);

/* Returns the seconds since 1970.  If a local time occurs twice because clocks
   were set back, it is one of the two. */
int64_t calendar_seconds(const struct calendar *c);

/*
 * Finds the year of a time that has none: the latest one in which it is not
 * after `latest`, in nanoseconds since 1970.  Sets c->year.  Returns false if
 * no year has such a day, such as 30 February.
 */
bool calendar_find_year(struct calendar *c, uint64_t latest);

/* Sets *ns to the nanoseconds since 1970.  Returns false, and leaves *ns alone,
   before 1970 and after July 2554, the last time that fits. */
bool calendar_nanoseconds(uint64_t *ns, int64_t seconds, uint64_t fraction);

#endif
