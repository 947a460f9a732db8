/*
 * algorithm_spec.c - parses "pocket:choices=1", an algorithm and its parameters
 */
#include "algorithm_spec.h"

#include <stdio.h>
#include <string.h>

struct algorithm_spec algorithm_spec_of(const char *label, bool named)
{
    struct algorithm_spec spec = {.label = label, .named = named};
    size_t len = strcspn(label, ":");

    /* A longer name is no algorithm's, so it may be cut: it is not found. */
    snprintf(spec.algorithm, sizeof spec.algorithm, "%.*s", (int)len, label);
    spec.params = label + len + (label[len] == ':');
    return spec;
}
