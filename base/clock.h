/*
 * clock.h - clocks that only go forward
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Returns nanoseconds since the machine started, time asleep included. */
uint64_t clock_now(void);

/* Returns seconds since the machine started, without time asleep: for
   measuring how long something takes. */
double clock_seconds(void);

#endif
