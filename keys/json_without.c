/*
 * json_without.c - a record with some members cut out
 *
 * A member goes with the comma behind it, or, if it is the last, with the one
 * in front, so that a record that never had it is left with the same bytes.
 */
#include <string.h>

#include "json_path.h"
#include "json_text.h"

struct cut {
    const char *from, *to;
};

/* In the record's order; few enough for insertion. */
static size_t sort_cuts(struct cut *cut, const struct json_path_value *value,
                        size_t paths)
{
    size_t n = 0;

    for (size_t i = 0; i < paths; i++) {
        size_t at;

        if (value[i].type == JSON_PATH_MISSING)
            continue;
        for (at = n++; at && cut[at - 1].from > value[i].member; at--)
            cut[at] = cut[at - 1];
        cut[at].from = value[i].member;
        cut[at].to = value[i].raw.at + value[i].raw.len;
    }
    return n;
}

static size_t put(char *out, size_t len, const char *from, const char *to)
{
    memcpy(out + len, from, (size_t)(to - from));
    return len + (size_t)(to - from);
}

/* Take the comma before a last member back, and the blanks around it. */
static size_t without_comma(const char *out, size_t len)
{
    size_t at = len;

    while (at && json_is_space(out[at - 1]))
        at--;
    if (!at || out[at - 1] != ',')
        return len;
    for (at--; at && json_is_space(out[at - 1]);)
        at--;
    return at;
}

int json_path_without(const struct json_path *paths, struct view record,
                      char *scratch, struct view *out)
{
    const char *done = record.at, *end = record.at + record.len;
    struct json_path_value value[JSON_PATH_PATHS];
    struct cut cut[JSON_PATH_PATHS];
    int status = json_path_find(paths, record, value);
    size_t n = status < 0 ? 0 : sort_cuts(cut, value, paths->paths), len = 0;

    if (status < 0)
        return status;
    for (size_t i = 0; i < n; i++) {
        const char *after;

        if (cut[i].from < done)
            continue; /* inside one that is gone already */
        len = put(scratch, len, done, cut[i].from);
        after = json_skip_space(cut[i].to, end);
        if (after < end && *after == ',')
            done = json_skip_space(after + 1, end);
        else {
            done = cut[i].to;
            len = without_comma(scratch, len);
        }
    }
    *out = record;
    if (n) {
        out->len = put(scratch, len, done, end);
        out->at = scratch;
    }
    return status;
}
