/*
 * compatible.h - checks options against a filter that exists
 */
#ifndef COMPATIBLE_H
#define COMPATIBLE_H

#include "fault.h"
#include "freshet.h"
#include "goal.h"

struct compatible {
    const char *name;    /* name of the filter: a file, a key */
    const char *what;    /* "saved filter" */
    const char *instead; /* an alternative to suggest: "file" */
    unsigned filters;    /* number of filters that share --memory */
    freshet_info info;
};

/* Returns options that would make such a filter; they point into info. */
freshet_options compatible_options(const freshet_info *info);

/* Returns false and sets *why, which names both values, if an option
   contradicts the filter.  Options that were not given contradict nothing. */
bool compatible_check(const struct compatible *s, const struct goal_args *args,
                      struct fault *why);

#endif
