/*
 * event_time.c - when a record says that it happened
 */
#include "event_time.h"

#include "command.h"
#include "csv_text.h"
#include "key_regex.h"
#include "timestamp.h"

enum { LONGEST = 256 }; /* no time is so long, whatever blanks are around it */

int eventtime_take(struct eventtime *t, const char *where,
                   const struct key_spec *key)
{
    struct fault why = {""};
    size_t n = 1;

    if (!where)
        return CLI_GO;
    if (key->csv)
        t->csv = csv_create(where, key->csv->separator, &why);
    else if (key->json || *where == '.' || *where == '[')
        t->json = jsonpath_create(where, &why);
    else
        t->regex = regexkey_create(where, key->fold, &why);
    t->with_key = key->json_time;
    if (!eventtime_is_set(t))
        return cli_misuse(&cmd_filter, "--time: %s", why.text);
    if (!t->regex)
        n = t->csv ? t->csv->n : t->json->paths;
    return n == 1
               ? CLI_GO
               : cli_misuse(&cmd_filter, "--time wants one place, not %zu", n);
}

void eventtime_free(struct eventtime *t)
{
    jsonpath_free(t->json);
    csv_free(t->csv);
    regexkey_free(t->regex);
}

bool eventtime_twin(struct eventtime *twin, const struct eventtime *t)
{
    *twin = *t;
    if (t->regex)
        twin->regex = regexkey_twin(t->regex);
    return twin->regex || !t->regex;
}

void eventtime_twin_free(struct eventtime *twin)
{
    regexkey_free(twin->regex);
}

bool eventtime_is_set(const struct eventtime *t)
{
    return t->json || t->csv || t->regex;
}

static bool by_json(const struct eventtime *t, struct view record,
                    const struct key_scratch *scratch, uint64_t *ns)
{
    struct jsonpath_value value = scratch->time;
    char text[LONGEST];

    return (t->with_key ||
            jsonpath_find(t->json, record, &value) == JSONPATH_OK) &&
           (value.type == JSONPATH_NUMBER || value.type == JSONPATH_STRING) &&
           value.raw.len <= sizeof text &&
           timefield_read(ns, jsonpath_text(&value, text));
}

static bool by_csv(const struct eventtime *t, struct view record, uint64_t *ns)
{
    struct csv_field field;
    char text[LONGEST];

    return csv_find(t->csv, record, &field) == CSV_OK && field.found &&
           field.raw.len <= sizeof text &&
           timefield_read(ns, csv_text(&field, text));
}

/* Of alternatives the first group that took part. */
static bool by_regex(const struct eventtime *t, struct view record,
                     uint64_t *ns)
{
    struct view part[REGEXKEY_PARTS];
    size_t n = regexkey_parts(t->regex), i = 0;

    if (regexkey_find(t->regex, record, part) != REGEXKEY_OK)
        return false;
    while (i < n && !part[i].at)
        i++;
    return i < n && timefield_read(ns, part[i]);
}

bool eventtime_of(const struct eventtime *t, struct view record,
                  const struct key_scratch *scratch, uint64_t *ns)
{
    if (t->json)
        return by_json(t, record, scratch, ns);
    return t->csv ? by_csv(t, record, ns) : by_regex(t, record, ns);
}
