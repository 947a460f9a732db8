/*
 * clock.h - the system's clocks
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Returns nanoseconds since the machine started, including the time asleep. */
uint64_t clock_now(void);

/* Returns seconds since the machine started, without time asleep: for
   measuring how long something takes. */
double clock_seconds(void);

/* Returns nanoseconds since 1970 by the system's real-time clock, which may be
   set back. */
uint64_t clock_wall(void);

/* Returns the processor seconds that this process has used. */
double clock_cpu_seconds(void);

#endif
