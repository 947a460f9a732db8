/*
 * json_text.h - the words of JSON: strings, escapes, numbers, literals
 *
 * Each function takes [p, end) and answers where the word ends, or NULL if it
 * is not one: cut short, or not as RFC 8259 writes it.  UTF-8 is not checked:
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

/* The first byte that is no space, or end. */
static inline const char *json_skip_space(const char *p, const char *end)
{
    while (p < end && json_is_space(*p))
        p++;
    return p;
}

/* p at a backslash: after the escape. */
const char *json_escape_end(const char *p, const char *end);

/* p after an opening quote: at the closing one.  Sets *escaped if it saw a
   backslash, and leaves it alone otherwise. */
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

/* p at a digit or minus sign: after the number. */
const char *json_number_end(const char *p, const char *end);

/* p at t, f or n: after true, false or null. */
const char *json_literal_end(const char *p, const char *end);

/*
 * Write what a string checked by json_string_end() stands for, its escapes
 * decoded to UTF-8, and say how long that is: never longer than len.  Half a
 * surrogate pair becomes three bytes of its own, so that strings that differ
 * stay different.
 */
size_t json_decode(char *out, const char *raw, size_t len);

/*
 * Write such a string in the one spelling that its value has, without quotes,
 * and say how long that is: never longer than len.  Quotes, backslashes and
 * control characters are escaped, in the shortest way; nothing else is.
 */
size_t json_respell(char *out, const char *raw, size_t len);

/* Does such a string stand for the name?  Nothing is written. */
bool json_decodes_to(struct view raw, struct view name);

#endif
