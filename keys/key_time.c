/*
 * key_time.c - finds the fields of a record's time: "4" or "1-3"
 *
 * The text begins with the first field and ends with the last one, including
 * the separators between them.  If the first field begins with a bracket, as in
 * web logs, the text ends at the closing bracket instead.
 */
#include <stdlib.h>

#include "event_time.h"
#include "fields.h"
#include "key_type.h"
#include "number.h"

struct range {
    uint64_t first, last; /* from 1 */
};

/* Returns false if the text is not of the form N or N-M. */
static bool read_range(struct range *range, const char *text)
{
    *range = (struct range){0, 0};
    if (!number_is_digit(*text))
        return false;
    if (!number_digits(&range->first, &text))
        range->first = UINT64_MAX;
    range->last = range->first;
    if (*text == '-' && number_is_digit(text[1])) {
        text++;
        range->last = 0;
        if (!number_digits(&range->last, &text))
            range->last = UINT64_MAX;
    }
    return !*text;
}

bool event_time_is_fields(const char *where)
{
    struct range range;

    return read_range(&range, where);
}

static bool compile(struct key *key, struct fault *why)
{
    struct range *range = malloc(sizeof *range);

    key->compiled = range;
    if (!range)
        return fault_set(why, "out of memory");
    if (!read_range(range, key->text))
        return fault_set(why, "give a field such as 4, or fields such as 1-3");
    if (!range->first)
        return fault_set(why, "fields count from 1");
    if (range->last < range->first)
        return fault_set(why, "a range begins with its smaller field, not '%s'",
                         key->text);
    return true;
}

/* Sets *out to the fields of the range.  Returns false if one is missing. */
static bool find(const struct range *range, struct fields fields,
                 struct view *out)
{
    struct view field;

    for (uint64_t n = 1; n <= range->last; n++) {
        if (!fields_next(&fields, &field))
            return false;
        if (n == range->first)
            *out = field;
        else if (n > range->first)
            out->len = (size_t)(field.at + field.len - out->at);
        if (n == range->first && field.len && *field.at == '[')
            return true;
    }
    return true;
}

static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    const char *end = record.at + record.len, *bracket;
    struct fields fields = {record.at, end, key->settings.separator};

    (void)scratch;
    if (!find(key->compiled, fields, out))
        return KEY_MISSING;
    if (!out->len || *out->at != '[')
        return KEY_FOUND;
    bracket = memchr(out->at, ']', (size_t)(end - out->at));
    if (!bracket)
        return KEY_MISSING;
    out->len = (size_t)(bracket + 1 - out->at);
    return KEY_FOUND;
}

const struct key_type key_time = {
    .option = "time",
    .words = "fields of the time",
    .compile = compile,
    .extract = extract,
    .free = free,
};
