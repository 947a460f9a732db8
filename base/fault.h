/*
 * fault.h - why something was refused, in words for the user
 *
 * The sentence is written where the cause is known and passed up unchanged;
 * the command puts "freshet: " and the file or option in front.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>

struct fault {
    char text[1024]; /* one line, lower case, no full stop; "" if none */
};

/* Write the sentence, cut if it is too long.  A NULL fault is fine.  Returns
   false, for functions that return it when they fail. */
bool fault_set(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
