/*
 * fault.h - the reason of a failure, as a sentence for the user
 *
 * The sentence is written where the cause is known and passed up unchanged; the
 * command puts "freshet: " and the file or option in front.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>

struct fault {
    char text[1024]; /* one line, lower case, no full stop; "" if none */
};

/* Writes the sentence, cut off if it is too long.  fault may be NULL.  Returns
   false, so that a failing function can return the result. */
bool fault_set(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
