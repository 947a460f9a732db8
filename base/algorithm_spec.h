/*
 * algorithm_spec.h - parses "pocket:choices=1", an algorithm and its parameters
 */
#ifndef ALGORITHM_SPEC_H
#define ALGORITHM_SPEC_H

#include <stdbool.h>

struct algorithm_spec {
    const char *label;  /* as typed */
    char algorithm[32]; /* the part before the colon */
    const char *params; /* the part after the colon */
    bool named;         /* named by the user, so that a failure is an error */
};

/* Returns the parts of a label, which must outlive them. */
struct algorithm_spec algorithm_spec_of(const char *label, bool named);

#endif
