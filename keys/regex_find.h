/*
 * regex_find.h - finds parts of a record by regular expression (PCRE2)
 *
 * Each group of the expression is a part; without groups, the whole match is
 * the only part.  Records and expression are bytes, zeros included, unless the
 * expression begins with (*UTF): then a record that is not UTF-8 fails.
 */
#ifndef REGEX_FIND_H
#define REGEX_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "view.h"

enum { REGEX_PARTS = 64 }; /* most groups */

enum regex_status {
    REGEX_OK = 0,
    REGEX_MISSING = 1, /* no match */
    REGEX_FAILED = -1  /* gave up; see regex_reason() */
};

struct regex;

/*
 * Returns a compiled expression, or NULL and sets *why if there is an error in
 * it or the program was built without PCRE2.  It has working memory, so each
 * thread needs its own.
 */
struct regex *regex_create(const char *expression, bool ignore_case,
                           struct fault *why);

/* Returns the same expression for another thread, to be freed before r; NULL if
   there is no memory. */
struct regex *regex_clone(const struct regex *r);

/* Accepts NULL. */
void regex_free(struct regex *r);

/* Returns the number of parts of a match. */
size_t regex_parts(const struct regex *r);

/*
 * Finds the first match in a record.  Returns a status, and sets part[] to
 * views into the record; the view of a group that did not take part in the
 * match has at NULL.  No memory is allocated.  A match that takes too many
 * steps fails.
 */
int regex_find(struct regex *r, struct view record, struct view *part);

/* Sets *why to the reason why the last call failed. */
void regex_reason(const struct regex *r, struct fault *why);

#endif
