/*
 * algorithm_spec.h - "pocket:choices=1", an algorithm and its parameters, taken
 * apart
 */
#ifndef ALGORITHM_SPEC_H
#define ALGORITHM_SPEC_H

#include <stdbool.h>

struct algorithm_spec {
    const char *label;  /* as typed */
    char algorithm[32]; /* before the colon */
    const char *params; /* after it */
    bool named;         /* by the user: if it fails that is an error */
};

/* Returns the parts of a label, which must outlive them. */
struct algorithm_spec algorithm_spec_of(const char *label, bool named);

#endif
