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

enum { KEY_REGEX_PARTS = 64 }; /* groups at most */

enum key_regex_status {
    KEY_REGEX_OK = 0,
    KEY_REGEX_MISSING = 1, /* no match */
    KEY_REGEX_FAILED = -1  /* gave up: key_regex_reason() says why */
};

struct key_regex;

/*
 * Compile an expression.  NULL and a reason if there is an error in it, or if
 * the program was built without PCRE2.  It keeps working memory: one for each
 * thread.
 */
struct key_regex *key_regex_create(const char *expression, bool ignore_case,
                                   struct fault *why);

/* The same for another thread, while this one is there.  NULL if there is no
   memory. */
struct key_regex *key_regex_twin(const struct key_regex *r);

/* Accepts NULL. */
void key_regex_free(struct key_regex *r);

/* How many parts it finds. */
size_t key_regex_parts(const struct key_regex *r);

/*
 * The first match in a record: its parts are inside the record, and one whose
 * group took no part in the match has at NULL.  Nothing is allocated.  An
 * expression that backtracks without end is stopped, and fails.
 */
int key_regex_find(struct key_regex *r, struct view record, struct view *part);

/* Why the last call failed. */
void key_regex_reason(const struct key_regex *r, struct fault *why);

#endif
