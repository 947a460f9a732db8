/*
 * key.c - which part of a record is its key
 */
#include "key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "csv_text.h"
#include "key_form.h"
#include "regex_find.h"

/* ---- Scratch ---------------------------------------------------------- */

void key_scratch_free(struct key_scratch *scratch)
{
    free(scratch->at);
}

static bool reserve(struct key_scratch *s, size_t more)
{
    char *at;

    if (s->at && s->size - s->used >= more)
        return true;
    at = array_reserve(s->at, &s->size, s->used + more + 256, 1);
    if (at)
        s->at = at;
    return at;
}

/* Bytes into scratch at an offset, where there is room for them. */
static void put(struct key_scratch *s, size_t offset, struct view v)
{
    if (!s->fold) {
        memmove(s->at + offset, v.at, v.len); /* perhaps there already */
        return;
    }
    for (size_t i = 0; i < v.len; i++) {
        char c = v.at[i];

        s->at[offset + i] = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
    }
}

static bool add_length(struct key_scratch *s, uint64_t len)
{
    if (!reserve(s, sizeof len))
        return false;
    memcpy(s->at + s->used, &len, sizeof len);
    s->used += sizeof len;
    s->parts = true;
    return true;
}

char *key_room(struct key_scratch *s, size_t len)
{
    if (!reserve(s, sizeof(uint64_t) + len))
        return NULL;
    return s->at + s->used + sizeof(uint64_t);
}

/* No part is so long that its length would need the upper bits. */
bool key_add_typed(struct key_scratch *s, unsigned type, struct view part)
{
    if (!add_length(s, part.len | (uint64_t)type << 56) ||
        !reserve(s, part.len))
        return false;
    put(s, s->used, part);
    s->used += part.len;
    return true;
}

bool key_add_part(struct key_scratch *s, struct view part)
{
    return key_add_typed(s, 0, part);
}

bool key_add_absent(struct key_scratch *s)
{
    return add_length(s, UINT64_MAX);
}

/* ---- As uniq: -f, -s, -w ---------------------------------------------- */

/* What uniq takes for blank, whatever the locale. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static struct view skip(const struct key_spec *spec, struct view v)
{
    const char *at = v.at, *end = v.at + v.len;

    for (uint64_t n = spec->skip_fields; n && at < end; n--) {
        while (at < end && is_blank(*at))
            at++;
        while (at < end && !is_blank(*at))
            at++;
    }
    at += (uint64_t)(end - at) < spec->skip_bytes ? (uint64_t)(end - at)
                                                  : spec->skip_bytes;
    v = (struct view){at, (size_t)(end - at)};
    if (v.len > spec->most_bytes)
        v.len = (size_t)spec->most_bytes;
    return v;
}

/* ---- As cut: -t, -k --------------------------------------------------- */

static const char *read_number(size_t *number, const char *text)
{
    *number = 0;
    while (isdigit((unsigned char)*text) && *number < SIZE_MAX / 16)
        *number = *number * 10 + (size_t)(*text++ - '0');
    return text;
}

/* In order, and apart from each other: 3,1-2 becomes 1-2,3-3. */
static void tidy(struct key_spec *spec)
{
    struct key_range *r = spec->range;
    size_t kept = 0;

    for (size_t i = 1; i < spec->ranges; i++)
        for (size_t j = i; j && r[j].first < r[j - 1].first; j--) {
            struct key_range other = r[j];

            r[j] = r[j - 1];
            r[j - 1] = other;
        }
    for (size_t i = 1; i < spec->ranges; i++)
        if (r[i].first > r[kept].last)
            r[++kept] = r[i];
        else if (r[i].last > r[kept].last)
            r[kept].last = r[i].last;
    spec->ranges = kept + 1;
}

const char *key_fields_read(struct key_spec *spec, const char *list)
{
    spec->ranges = 0;
    for (bool more = true; more;) {
        struct key_range r = {1, SIZE_MAX};
        const char *begin = list;

        if (*list != '-')
            list = read_number(&r.first, list);
        if (*list != '-')
            r.last = r.first;
        else if (isdigit((unsigned char)*++list))
            list = read_number(&r.last, list);
        if (list == begin || (list == begin + 1 && *begin == '-'))
            return "a list such as 2 or 1,3-5,7-";
        if (r.first == 0)
            return "fields from 1";
        if (r.last < r.first)
            return "ranges that do not fall";
        if (spec->ranges == KEY_RANGES)
            return "no more than 64 ranges";
        if (*list != ',' && *list != '\0')
            return "a list such as 2 or 1,3-5,7-";
        spec->range[spec->ranges++] = r;
        more = *list++ == ',';
    }
    tidy(spec);
    return NULL;
}

/* Walks the fields of a record. */
struct fields {
    const char *at, *end; /* at is NULL after the last one */
    int separator;
};

static bool next_field(struct fields *f, struct view *field)
{
    const char *stop;

    if (f->separator < 0)
        while (f->at < f->end && is_blank(*f->at))
            f->at++;
    if (!f->at || (f->separator < 0 && f->at == f->end))
        return false;
    if (f->separator < 0)
        for (stop = f->at; stop < f->end && !is_blank(*stop);)
            stop++;
    else
        stop = memchr(f->at, f->separator, (size_t)(f->end - f->at));
    *field = (struct view){f->at, (size_t)((stop ? stop : f->end) - f->at)};
    f->at = stop;
    if (stop && f->separator >= 0)
        f->at++;
    return true;
}

/* One field alone stands in the record as it is. */
static enum key_result one_field(const struct key_spec *spec,
                                 struct fields *fields, struct view *key)
{
    for (size_t n = 1; next_field(fields, key); n++)
        if (n == spec->range[0].first)
            return KEY_FOUND;
    *key = (struct view){"", 0};
    return KEY_MISSING;
}

/*
 * Every field named by number must be there; of an open range, and of a
 * closed one after its first, those that are.
 */
static enum key_result many_fields(const struct key_spec *spec,
                                   struct fields *fields,
                                   struct key_scratch *scratch)
{
    enum key_result result = KEY_FOUND;
    struct view field = {NULL, 0};
    size_t n = 0;

    for (size_t i = 0; i < spec->ranges; i++) {
        const struct key_range *r = &spec->range[i];
        bool there = true;

        while (n + 1 < r->first && (there = next_field(fields, &field)))
            n++;
        while (n < r->last && there && (there = next_field(fields, &field))) {
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

static enum key_result fields_of(const struct key_spec *spec,
                                 struct view record,
                                 struct key_scratch *scratch, struct view *key)
{
    struct fields fields = {record.at, record.at + record.len, spec->separator};

    if (spec->ranges == 1 && spec->range[0].first == spec->range[0].last)
        return one_field(spec, &fields, key);
    *key = (struct view){"", 0}; /* an open range may find none */
    return many_fields(spec, &fields, scratch);
}

/* ---- All together ----------------------------------------------------- */

void key_spec_free(struct key_spec *spec)
{
    json_path_free(spec->json);
    csv_free(spec->csv);
    regex_free(spec->regex);
}

bool key_spec_twin(struct key_spec *twin, const struct key_spec *spec)
{
    *twin = *spec;
    if (spec->regex)
        twin->regex = regex_clone(spec->regex);
    return twin->regex || !spec->regex;
}

void key_spec_twin_free(struct key_spec *twin)
{
    regex_free(twin->regex);
}

const char *key_trouble(const struct key_spec *spec)
{
    if (spec->regex)
        return "is too much for the expression";
    return spec->csv ? "is not CSV" : "is not JSON";
}

/* A key in the record is folded in a copy, one in scratch where it is. */
static bool fold(struct key_scratch *scratch, struct view *key)
{
    if (!reserve(scratch, key->len))
        return false;
    put(scratch, 0, *key);
    key->at = scratch->at;
    return true;
}

enum key_result key_of(const struct key_spec *spec, struct view record,
                       struct key_scratch *scratch, struct view *key)
{
    enum key_result result = KEY_FOUND;

    if (spec->crlf && record.len && record.at[record.len - 1] == '\r')
        record.len--;
    scratch->used = 0;
    scratch->parts = false;
    scratch->fold = spec->fold;
    switch (spec->kind) {
    case KEY_RECORD:
        *key = record;
        break;
    case KEY_SKIP:
        *key = skip(spec, record);
        break;
    case KEY_FIELDS:
        result = fields_of(spec, record, scratch, key);
        break;
    case KEY_JSON:
        result = key_form_json(spec, record, scratch);
        break;
    case KEY_CSV:
        result = key_form_csv(spec, record, scratch);
        break;
    case KEY_JSON_WITHOUT:
    case KEY_CSV_WITHOUT:
        result = key_form_without(spec, record, scratch, key);
        break;
    case KEY_REGEX:
        result = key_form_regex(spec, record, scratch);
        break;
    }
    if (scratch->parts) /* folded already */
        *key = (struct view){scratch->at, scratch->used};
    if (!spec->fold || scratch->parts || result > KEY_MISSING)
        return result;
    return fold(scratch, key) ? result : KEY_MEMORY;
}
