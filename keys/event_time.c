/*
 * event_time.c - reads the time of a record's event from the record
 */
#include "event_time.h"

#include "clock.h"
#include "time_format.h"
#include "timestamp.h"

/* Returns the kind of key that finds the time, beside records with this key. */
static const char *option_for(const char *where, const struct key *key)
{
    if (key->type->csv_records)
        return "csv";
    if (key->type->json_records || *where == '.' || *where == '[')
        return "json";
    return event_time_is_fields(where) ? "time" : "regex";
}

bool event_time_create(struct event_time *t, const char *where,
                       const struct key *key, struct fault *why)
{
    struct key_settings settings = KEY_SETTINGS;

    t->max_skew = EVENT_TIME_MAX_SKEW;
    if (!where)
        return true;
    settings.fold = key->settings.fold;
    settings.separator = key->settings.separator;
    t->key = key_create(option_for(where, key), where, &settings, why);
    t->with_key = key->finds_time;
    if (t->key && t->key->places > 1)
        fault_set(why, "give one place, not %zu", t->key->places);
    return t->key && t->key->places == 1;
}

bool event_time_set_format(struct event_time *t, const char *format,
                           struct fault *why)
{
    t->format = format;
    return time_format_check(format, why);
}

void event_time_free(struct event_time *t)
{
    key_free(t->key);
}

bool event_time_clone(struct event_time *clone, const struct event_time *t)
{
    *clone = *t;
    if (t->key)
        clone->key = key_clone(t->key);
    return clone->key || !t->key;
}

bool event_time_with_header(struct event_time *found,
                            const struct event_time *t, struct view header,
                            struct fault *why)
{
    *found = *t;
    if (t->key)
        found->key = key_with_header(t->key, header, why);
    return found->key || !t->key;
}

bool event_time_is_set(const struct event_time *t)
{
    return t->key;
}

/* Returns the text of the time; at is NULL if it is missing. */
static struct view find_time(const struct event_time *t, struct view record,
                             const struct key_scratch *with_key,
                             struct key_scratch *scratch)
{
    struct view text;

    if (t->with_key)
        return with_key->time;
    if (key_first_value(t->key, record, scratch, &text) != KEY_FOUND)
        return (struct view){NULL, 0};
    return text;
}

uint64_t event_time_latest(uint64_t max_skew)
{
    uint64_t now = clock_wall();

    return max_skew > UINT64_MAX - now ? UINT64_MAX : now + max_skew;
}

static bool read_time(const struct event_time *t, struct view text,
                      uint64_t latest, uint64_t *ns)
{
    /* Any time is allowed, but a time without a year still needs a limit. */
    if (t->max_skew == EVENT_TIME_NO_LIMIT)
        latest = event_time_latest(EVENT_TIME_MAX_SKEW);
    return t->format ? time_format_read(ns, text, t->format, latest)
                     : timestamp_read(ns, text, latest);
}

const char *event_time_of(const struct event_time *t, struct view record,
                          const struct key_scratch *with_key,
                          struct key_scratch *scratch, uint64_t latest,
                          uint64_t *ns)
{
    struct view text = find_time(t, record, with_key, scratch);

    if (!text.at)
        return "has no time where --time looks for it";
    if (!read_time(t, text, latest, ns))
        return "has a time that cannot be read (see --time-format)";
    return *ns <= latest ? NULL : "has a time later than --max-skew allows";
}
