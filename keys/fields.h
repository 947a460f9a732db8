/*
 * fields.h - iterates over the fields of a record
 */
#ifndef FIELDS_H
#define FIELDS_H

#include <stddef.h>
#include <string.h>

#include "blank.h"
#include "view.h"

/* The fields that are left. */
struct fields {
    const char *at, *end; /* at is NULL after the last one */
    int separator;        /* -1: runs of blanks; leading blanks are skipped */
};

/* Sets *field to the next field.  Returns false if there is none. */
static inline bool fields_next(struct fields *f, struct view *field)
{
    const char *stop;

    if (f->separator < 0)
        while (f->at < f->end && is_blank(*f->at))
            f->at++;
    if (!f->at || (f->separator < 0 && f->at == f->end))
        return false;
    if (f->separator < 0)
        for (stop = f->at; stop < f->end && !is_blank(*stop);)
            stop++;
    else
        stop = memchr(f->at, f->separator, (size_t)(f->end - f->at));
    *field = (struct view){f->at, (size_t)((stop ? stop : f->end) - f->at)};
    f->at = stop;
    if (stop && f->separator >= 0)
        f->at++;
    return true;
}

#endif
