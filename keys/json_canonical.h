/*
 * json_canonical.h - the canonical spelling of a JSON value
 *
 * Values that are equal have one spelling: no white space, strings with no
 * more escapes than they need, numbers as they are written, and of members of
 * one name in an object the last one only.  The order of members counts.
 */
#ifndef JSON_CANONICAL_H
#define JSON_CANONICAL_H

#include "json_path.h"
#include "key_scratch.h"

/*
 * Writes a value that json_path_find() has checked into out, which has room for
 * value.len bytes, and sets *len to the length.  The values of the paths in
 * `without`, which may be NULL, are left out.  Returns false if there is no
 * memory.
 */
bool json_canonical(struct view value, const struct json_path *without,
                    struct key_scratch *scratch, char *out, size_t *len);

#endif
