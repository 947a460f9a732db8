/*
 * json_text.h - the tokens of JSON: strings, escapes, numbers, literals
 *
 * The functions named ..._end take [p, end) and return the end of the token at
 * p, or NULL if it is truncated or violates RFC 8259.  UTF-8 is not checked:
 * bytes above 127 are data.
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "scan.h"
#include "view.h"

static inline bool json_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Returns the first byte that is not white space, or end. */
static inline const char *json_skip_space(const char *p, const char *end)
{
    while (p < end && json_is_space(*p))
        p++;
    return p;
}

/* p is at a backslash.  Returns the place after the escape. */
const char *json_escape_end(const char *p, const char *end);

/* p is after an opening quote.  Returns the place of the closing one.  Sets
   *escaped if there is a backslash, and leaves it alone otherwise. */
static inline const char *json_string_end(const char *p, const char *end,
                                          bool *escaped)
{
    while ((p = scan_string(p, end)) < end && *p == '\\') {
        *escaped = true;
        p = json_escape_end(p, end);
        if (!p)
            return NULL;
    }
    return p < end && *p == '"' ? p : NULL;
}

/* p is at a digit or minus sign.  Returns the place after the number. */
const char *json_number_end(const char *p, const char *end);

/* p is at t, f or n.  Returns the place after true, false or null. */
const char *json_literal_end(const char *p, const char *end);

/*
 * Writes the value of a string that json_string_end() has checked, with its
 * escapes decoded to UTF-8.  Returns its length, which is at most len.  Half a
 * surrogate pair becomes three bytes of its own, so that different strings stay
 * different.
 */
size_t json_decode(char *out, const char *raw, size_t len);

/*
 * Writes such a string in the canonical spelling of its value, without quotes.
 * Returns its length, which is at most len.  Only quotes, backslashes and
 * control characters are escaped, in the shortest form.
 */
size_t json_respell(char *out, const char *raw, size_t len);

/* Returns whether the value of such a string is the name. */
bool json_decodes_to(struct view raw, struct view name);

#endif
