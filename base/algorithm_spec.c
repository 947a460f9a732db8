/*
 * algorithm_spec.c - "pocket:choices=1", an algorithm and its parameters, taken
 * apart
 */
#include "algorithm_spec.h"

#include <stdio.h>
#include <string.h>

struct algorithm_spec algorithm_spec_of(const char *label, bool named)
{
    struct algorithm_spec spec = {.label = label, .named = named};
    size_t len = strcspn(label, ":");

    /* A name too long to fit is too long for any algorithm: cut, not found. */
    snprintf(spec.algorithm, sizeof spec.algorithm, "%.*s", (int)len, label);
    spec.params = label + len + (label[len] == ':');
    return spec;
}
