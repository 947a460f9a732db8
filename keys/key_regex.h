/*
 * key_regex.h - parts of a record by regular expression (PCRE2)
 *
 * With groups in the expression, each is a part; without, the whole match is
 * the only one.  Records and expression are bytes, zeros included, unless the
 * expression begins with (*UTF): then a record that is not UTF-8 fails.
 */
#ifndef KEY_REGEX_H
#define KEY_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "view.h"

enum { REGEXKEY_PARTS = 64 }; /* groups at most */

enum regexkey_status {
    REGEXKEY_OK = 0,
    REGEXKEY_MISSING = 1, /* no match */
    REGEXKEY_FAILED = -1  /* gave up: regexkey_reason() says why */
};

struct regexkey;

/*
 * Compile an expression.  NULL and a reason if there is an error in it, or if
 * the program was built without PCRE2.  It keeps working memory: one for each
 * thread.
 */
struct regexkey *regexkey_create(const char *expression, bool ignore_case,
                                 struct fault *why);

/* The same for another thread, while this one is there.  NULL if there is no
   memory. */
struct regexkey *regexkey_twin(const struct regexkey *r);

/* Accepts NULL. */
void regexkey_free(struct regexkey *r);

/* How many parts it finds. */
size_t regexkey_parts(const struct regexkey *r);

/*
 * The first match in a record: its parts are inside the record, and one whose
 * group took no part in the match has at NULL.  Nothing is allocated.  An
 * expression that backtracks without end is stopped, and fails.
 */
int regexkey_find(struct regexkey *r, struct view record, struct view *part);

/* Why the last call failed. */
void regexkey_reason(const struct regexkey *r, struct fault *why);

#endif
