/*
 * compatible.h - do options agree with a filter that is there?
 */
#ifndef COMPATIBLE_H
#define COMPATIBLE_H

#include "fault.h"
#include "freshet.h"
#include "goal.h"

struct compatible {
    const char *name;    /* of the filter: a file, a key */
    const char *what;    /* "saved filter" */
    const char *instead; /* what else to take: "file" */
    unsigned filters;    /* of this size: they share --memory */
    freshet_info info;
};

/* Options that would make such a filter; they point into info. */
freshet_options compatible_options(const freshet_info *info);

/* Options that were not given agree with anything.  Returns false, with a
   reason that names both, if an option contradicts the filter. */
bool compatible_check(const struct compatible *s, const struct goal_args *args,
                      struct fault *why);

#endif
