/*
 * regex_find.h - parts of a record by regular expression (PCRE2)
 *
 * With groups in the expression, each is a part; without, the whole match is
 * the only one.  Records and expression are bytes, zeros included, unless the
 * expression begins with (*UTF): then a record that is not UTF-8 fails.
 */
#ifndef REGEX_FIND_H
#define REGEX_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "view.h"

enum { REGEX_PARTS = 64 }; /* groups at most */

enum regex_status {
    REGEX_OK = 0,
    REGEX_MISSING = 1, /* no match */
    REGEX_FAILED = -1  /* gave up: regex_reason() says why */
};

struct regex;

/*
 * Compile an expression.  NULL and a reason if there is an error in it, or if
 * the program was built without PCRE2.  It keeps working memory: one for each
 * thread.
 */
struct regex *regex_create(const char *expression, bool ignore_case,
                           struct fault *why);

/* The same for another thread, while this one is there.  NULL if there is no
   memory. */
struct regex *regex_clone(const struct regex *r);

/* Accepts NULL. */
void regex_free(struct regex *r);

/* How many parts it finds. */
size_t regex_parts(const struct regex *r);

/*
 * The first match in a record: its parts are inside the record, and one whose
 * group took no part in the match has at NULL.  Nothing is allocated.  An
 * expression that backtracks without end is stopped, and fails.
 */
int regex_find(struct regex *r, struct view record, struct view *part);

/* Why the last call failed. */
void regex_reason(const struct regex *r, struct fault *why);

#endif
