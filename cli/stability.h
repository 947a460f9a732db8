/*
 * stability.h - computes the stable state of a filter
 *
 * A stable Bloom filter finally loses as much as it gains: the share of its
 * cells in use becomes stable, and the chance that a repeat passes depends on
 * its distance.
 */
#ifndef STABILITY_H
#define STABILITY_H

#include <stdbool.h>

#include "freshet.h"
#include "json_writer.h"

enum { STABILITY_GAPS = 4 };

struct stability {
    double in_use; /* final share of cells in use */
    double after;  /* records until it is within 1 % of that */
    /* distances, and the share of repeats that pass */
    double gap[STABILITY_GAPS], passes[STABILITY_GAPS];
};

/* Return false if the filter has no stable state, or it is unknown. */
bool stability_of_options(struct stability *s, const freshet_options *options);
bool stability_of_filter(struct stability *s, const freshet *filter);

/* Prints two lines: a heading with the stable state, and the repeats that
   pass. */
void stability_print(const struct stability *s, const char *heading);

/* Adds its members to an object. */
void stability_json(const struct stability *s, struct json *j);

#endif
