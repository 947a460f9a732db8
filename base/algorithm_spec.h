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
    bool named;         /* by the user: what fails is an error, not a skip */
};

/* The label must outlive it. */
struct algorithm_spec algorithm_spec_of(const char *label, bool named);

#endif
