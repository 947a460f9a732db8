/*
 * event_time.c - when the event of a record happened, as the record says
 */
#include "event_time.h"

#include "clock.h"
#include "csv_text.h"
#include "regex_find.h"
#include "timestamp.h"

enum { LONGEST = 256 }; /* no time is so long, whatever blanks are around it */

bool event_time_create(struct event_time *t, const char *where,
                       const struct key_spec *key, struct fault *why)
{
    size_t n = 1;

    t->max_skew = EVENT_TIME_MAX_SKEW;
    if (!where)
        return true;
    if (key->csv)
        t->csv = csv_create(where, key->csv->separator, why);
    else if (key->json || *where == '.' || *where == '[')
        t->json = json_path_create(where, why);
    else
        t->regex = regex_create(where, key->fold, why);
    t->with_key = key->json_time;
    if (!event_time_is_set(t))
        return false;
    if (!t->regex)
        n = t->csv ? t->csv->n : t->json->paths;
    if (n > 1)
        fault_set(why, "give one place of the time, not %zu", n);
    return n == 1;
}

void event_time_free(struct event_time *t)
{
    json_path_free(t->json);
    csv_free(t->csv);
    regex_free(t->regex);
}

bool event_time_twin(struct event_time *twin, const struct event_time *t)
{
    *twin = *t;
    if (t->regex)
        twin->regex = regex_clone(t->regex);
    return twin->regex || !t->regex;
}

void event_time_twin_free(struct event_time *twin)
{
    regex_free(twin->regex);
}

bool event_time_is_set(const struct event_time *t)
{
    return t->json || t->csv || t->regex;
}

static bool by_json(const struct event_time *t, struct view record,
                    const struct key_scratch *scratch, uint64_t *ns)
{
    struct json_path_value value = scratch->time;
    char text[LONGEST];

    return (t->with_key ||
            json_path_find(t->json, record, &value) == JSON_PATH_OK) &&
           (value.type == JSON_PATH_NUMBER || value.type == JSON_PATH_STRING) &&
           value.raw.len <= sizeof text &&
           timestamp_read(ns, json_path_text(&value, text));
}

static bool by_csv(const struct event_time *t, struct view record, uint64_t *ns)
{
    struct csv_field field;
    char text[LONGEST];

    return csv_find(t->csv, record, &field) == CSV_OK && field.found &&
           field.raw.len <= sizeof text &&
           timestamp_read(ns, csv_text(&field, text));
}

/* Of alternatives the first group that took part. */
static bool by_regex(const struct event_time *t, struct view record,
                     uint64_t *ns)
{
    struct view part[REGEX_PARTS];
    size_t n = regex_parts(t->regex), i = 0;

    if (regex_find(t->regex, record, part) != REGEX_OK)
        return false;
    while (i < n && !part[i].at)
        i++;
    return i < n && timestamp_read(ns, part[i]);
}

static bool find_time(const struct event_time *t, struct view record,
                      const struct key_scratch *scratch, uint64_t *ns)
{
    if (t->json)
        return by_json(t, record, scratch, ns);
    return t->csv ? by_csv(t, record, ns) : by_regex(t, record, ns);
}

uint64_t event_time_latest(uint64_t max_skew)
{
    uint64_t now = clock_wall();

    return max_skew > UINT64_MAX - now ? UINT64_MAX : now + max_skew;
}

const char *event_time_of(const struct event_time *t, struct view record,
                          const struct key_scratch *scratch, uint64_t latest,
                          uint64_t *ns)
{
    if (!find_time(t, record, scratch, ns))
        return "does not say when it happened";
    return *ns <= latest ? NULL : "happens later than --max-skew allows";
}
