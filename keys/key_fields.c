/*
 * key_fields.c - keys of a list of fields, as in cut
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "key_type.h"

/* Fields first to last, from 1; last is SIZE_MAX for "to the end". */
struct range {
    size_t first, last;
};
enum { RANGES = 64, RANGE_TEXT = 48 };

/* In order, without overlap. */
struct ranges {
    size_t n;
    struct range range[RANGES];
};

/* Rules 1 did not tell a single missing field from an empty one. */
enum { MISSING_IS_NOT_EMPTY = 2 };

/* ---- The list --------------------------------------------------------- */

static const char *read_number(size_t *number, const char *text)
{
    *number = 0;
    while (isdigit((unsigned char)*text) && *number < SIZE_MAX / 16)
        *number = *number * 10 + (size_t)(*text++ - '0');
    return text;
}

/* Sorts ranges and merges those that overlap: 3,1-2 becomes 1-2,3-3. */
static void normalise(struct ranges *ranges)
{
    struct range *r = ranges->range;
    size_t kept = 0;

    for (size_t i = 1; i < ranges->n; i++)
        for (size_t j = i; j && r[j].first < r[j - 1].first; j--) {
            struct range other = r[j];

            r[j] = r[j - 1];
            r[j - 1] = other;
        }
    for (size_t i = 1; i < ranges->n; i++)
        if (r[i].first > r[kept].last)
            r[++kept] = r[i];
        else if (r[i].last > r[kept].last)
            r[kept].last = r[i].last;
    ranges->n = kept + 1;
}

/* Returns what is wrong with the list, or NULL if it is right. */
static const char *read_list(struct ranges *ranges, const char *list)
{
    ranges->n = 0;
    for (bool more = true; more;) {
        struct range r = {1, SIZE_MAX};
        const char *begin = list;

        if (*list != '-')
            list = read_number(&r.first, list);
        if (*list != '-')
            r.last = r.first;
        else if (isdigit((unsigned char)*++list))
            list = read_number(&r.last, list);
        if (list == begin || (list == begin + 1 && *begin == '-'))
            return "fields are given as 2 or 1,3-5,7-";
        if (r.first == 0)
            return "fields count from 1";
        if (r.last < r.first)
            return "a range begins with its smaller field";
        if (ranges->n == RANGES)
            return "there are at most 64 ranges";
        if (*list != ',' && *list != '\0')
            return "fields are given as 2 or 1,3-5,7-";
        ranges->range[ranges->n++] = r;
        more = *list++ == ',';
    }
    normalise(ranges);
    return NULL;
}

/* Returns the list in normal form, so that 3,1-2 and 1-2,3 are equal. */
static char *text_of(const struct ranges *ranges)
{
    char *text = malloc(ranges->n * RANGE_TEXT + 1), *at = text;

    for (size_t i = 0; text && i < ranges->n; i++) {
        const struct range *r = &ranges->range[i];

        at += snprintf(at, RANGE_TEXT, "%s%zu", i ? "," : "", r->first);
        if (r->last == SIZE_MAX)
            at += snprintf(at, RANGE_TEXT / 2, "-");
        else if (r->last != r->first)
            at += snprintf(at, RANGE_TEXT / 2, "-%zu", r->last);
    }
    return text;
}

static bool is_one_field(const struct ranges *ranges)
{
    return ranges->n == 1 && ranges->range[0].first == ranges->range[0].last;
}

static bool compile(struct key *key, struct fault *why)
{
    struct ranges *ranges = malloc(sizeof *ranges);
    const char *wrong = ranges ? read_list(ranges, key->text) : NULL;
    char *text = ranges && !wrong ? text_of(ranges) : NULL;

    key->compiled = ranges;
    if (wrong)
        fault_set(why, "%s, not '%s'", wrong, key->text);
    else if (!text)
        fault_set(why, "out of memory");
    if (!text)
        return false;
    free(key->text);
    key->text = text;
    key->places = ranges->n;
    if (is_one_field(ranges))
        key->rules = MISSING_IS_NOT_EMPTY;
    return true;
}

/* ---- Records ---------------------------------------------------------- */

/* A single field is used as it is.  If it is missing, its key is the separator,
   which no field contains. */
static enum key_result one_field(size_t number, struct fields *fields,
                                 struct key_scratch *scratch, struct view *out)
{
    char mark = fields->separator < 0 ? ' ' : (char)fields->separator;

    for (size_t n = 1; fields_next(fields, out); n++)
        if (n == number)
            return KEY_FOUND;
    return key_set(scratch, (struct view){&mark, 1}) ? KEY_MISSING : KEY_MEMORY;
}

/* A range is missing if its first field is; of the others, those that exist are
   compared. */
static enum key_result many_fields(const struct ranges *ranges,
                                   struct fields *fields,
                                   struct key_scratch *scratch)
{
    enum key_result result = KEY_FOUND;
    struct view field = {NULL, 0};
    size_t n = 0;

    for (size_t i = 0; i < ranges->n; i++) {
        const struct range *r = &ranges->range[i];
        bool there = true;

        while (n + 1 < r->first && (there = fields_next(fields, &field)))
            n++;
        while (n < r->last && there && (there = fields_next(fields, &field))) {
            n++;
            if (!key_add_part(scratch, field))
                return KEY_MEMORY;
        }
        if (n < r->first) {
            result = KEY_MISSING;
            if (!key_add_absent(scratch))
                return KEY_MEMORY;
        }
    }
    return result;
}

static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    struct fields fields = {record.at, record.at + record.len,
                            key->settings.separator};
    const struct ranges *ranges = key->compiled;

    if (is_one_field(ranges))
        return one_field(ranges->range[0].first, &fields, scratch, out);
    *out = (struct view){"", 0}; /* an open range may contain no field */
    return many_fields(ranges, &fields, scratch);
}

const struct key_type key_fields = {
    .option = "key",
    .words = "fields",
    .separated = true,
    .compile = compile,
    .extract = extract,
    .free = free,
};
