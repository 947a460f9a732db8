/*
 * key_speed.c - measures how fast keys are found: MB/s for each extractor
 *
 *     key_speed
 *
 * The records are flat, about 200 bytes long and made here.  The key is the
 * last field, so that all of each record is read.  The best of a few rounds is
 * shown, in processor time, which other programs disturb least.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "csv_text.h"
#include "json_path.h"
#include "key.h"
#include "regex_find.h"
#include "timestamp.h"

enum { RECORDS = 20000, RECORD = 256, ROUNDS = 25 };

struct stream {
    char *bytes;
    size_t len;
};

/* The same ten facts in each format; the last %s is the key. */
static const char *const json_record =
    "{\"ts\":\"2024-05-01T12:%02u:%02u.123Z\",\"level\":\"info\",\"host\":"
    "\"web-%u.example.com\",\"method\":\"GET\",\"path\":\"/api/v1/items/%u\","
    "\"status\":200,\"bytes\":%u,\"user\":\"u%u\",\"ok\":true,\"id\":"
    "\"%016llx%016llx\"}\n";
static const char *const csv_record =
    "2024-05-01T12:%02u:%02u.123Z,info,web-%u.example.com,GET,"
    "/api/v1/items/%u,200,%u,u%u,true,a message of a few words,"
    "Mozilla/5.0 (X11; Linux x86_64),%016llx%016llx\n";
static const char *const quoted_record =
    "\"2024-05-01T12:%02u:%02u.123Z\",\"info\",\"web-%u.example.com\",\"GET\","
    "\"/api/v1/items/%u\",\"200\",\"%u\",\"u%u\",\"true\",\"a "
    "\"\"message\"\"\","
    "\"Mozilla/5.0 (X11; Linux)\",\"%016llx%016llx\"\n";
static const char *const log_record =
    "2024-05-01T12:%02u:%02u.123Z info web-%u.example.com GET "
    "/api/v1/items/%u status=200 bytes=%u user=u%u ok a message of a few words "
    "Mozilla/5.0 (X11; Linux x86_64) id=%016llx%016llx\n";

static uint64_t next_random(uint64_t *x)
{
    *x += UINT64_C(0x9e3779b97f4a7c15);
    return (*x ^ *x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static struct stream make_stream(const char *format)
{
    struct stream s = {malloc((size_t)RECORDS * RECORD), 0};
    uint64_t x = 1;

    if (!s.bytes)
        abort();
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned long long a = next_random(&x), b = next_random(&x);

        s.len += (size_t)snprintf(s.bytes + s.len, RECORD, format, i / 60 % 60,
                                  i % 60, i % 50, (unsigned)a % 1000000,
                                  (unsigned)b % 100000, i % 10000, a, b);
    }
    return s;
}
#pragma GCC diagnostic pop

/* Reads a stream once.  Returns the number of keys that were found. */
typedef size_t pass(const struct stream *s, void *with);

static size_t pass_json(const struct stream *s, void *with)
{
    const char *p = s->bytes, *end = p + s->len, *newline;
    struct json_path_value value[JSON_PATH_PATHS];
    size_t found = 0;

    for (; p < end; p = newline + 1) {
        newline = memchr(p, '\n', (size_t)(end - p));
        json_path_find(with, (struct view){p, (size_t)(newline - p)}, value);
        found += value[0].type != JSON_PATH_MISSING;
    }
    return found;
}

/* Extracts keys as the program does, with a key made by an option. */
static size_t pass_key(const struct stream *s, void *with)
{
    const char *p = s->bytes, *end = p + s->len, *newline;
    struct key_scratch scratch = {0};
    size_t found = 0;
    struct view out;

    for (; p < end; p = newline + 1) {
        newline = memchr(p, '\n', (size_t)(end - p));
        found += key_of(with, (struct view){p, (size_t)(newline - p)}, &scratch,
                        &out) == KEY_FOUND;
    }
    key_scratch_free(&scratch);
    return found;
}

static size_t pass_csv(const struct stream *s, void *with)
{
    const char *p = s->bytes, *end = p + s->len, *newline;
    struct csv_field field[CSV_COLUMNS];
    struct csv_splitter splitter;
    size_t found = 0;

    csv_splitter_init(&splitter, ',');
    for (; p < end; p = newline + 1) {
        newline = csv_record_end(&splitter, p, end);
        found += csv_find(with, (struct view){p, (size_t)(newline - p)},
                          field) == CSV_OK &&
                 field[0].found;
    }
    return found;
}

static size_t pass_regex(const struct stream *s, void *with)
{
    const char *p = s->bytes, *end = p + s->len, *newline;
    struct view part[REGEX_PARTS];
    size_t found = 0;

    for (; p < end; p = newline + 1) {
        newline = memchr(p, '\n', (size_t)(end - p));
        found += regex_find(with, (struct view){p, (size_t)(newline - p)},
                            part) == REGEX_OK;
    }
    return found;
}

/* Reads the time that each line of a log begins with. */
static size_t pass_time(const struct stream *s, void *with)
{
    const char *p = s->bytes, *end = p + s->len, *newline;
    size_t found = 0;
    uint64_t ns;

    (void)with;
    for (; p < end; p = newline + 1) {
        newline = memchr(p, '\n', (size_t)(end - p));
        found += timestamp_read(&ns, (struct view){p, 24}, UINT64_MAX);
    }
    return found;
}

/* Prints the speed of a pass, or that this build cannot run it. */
static void report(const char *name, pass *run, void *with, const char *format)
{
    struct stream s = make_stream(format);
    double best = 1e9;
    size_t found = 0;

    for (int i = 0; with && i < ROUNDS; i++) {
        double start = clock_cpu_seconds(), took;

        found = run(&s, with);
        took = clock_cpu_seconds() - start;
        best = took < best ? took : best;
    }
    if (!with)
        printf("%-24s not in this build\n", name);
    else if (found != RECORDS)
        printf("%-24s found only %zu of %d\n", name, found, RECORDS);
    else
        printf("%-24s %6.0f MB/s  %5.0f ns/record\n", name,
               (double)s.len / best / 1e6, best / RECORDS * 1e9);
    free(s.bytes);
}

int main(void)
{
    struct json_path *last = json_path_create(".id", NULL);
    struct json_path *three = json_path_create(".id,.host,.status", NULL);
    struct json_path *first = json_path_create(".ts", NULL);
    struct key_settings settings = KEY_SETTINGS;
    struct key *id = key_create("json", ".id", &settings, NULL);
    struct key *no_ts = key_create("exclude", ".ts", &settings, NULL);
    struct key *no_column = key_create("exclude", "1", &settings, NULL);
    struct csv *column = csv_create("12", ',', NULL);
    struct regex *tail = regex_create(" id=([0-9a-f]+)$", false, NULL);
    struct regex *host = regex_create("web-\\d+\\S*", false, NULL);

    report("json .id", pass_json, last, json_record);
    report("json .id,.host,.status", pass_json, three, json_record);
    report("json .ts", pass_json, first, json_record);
    report("key --json .id", pass_key, id, json_record);
    report("key --exclude .ts", pass_key, no_ts, json_record);
    report("key --exclude 1", pass_key, no_column, csv_record);
    report("csv 12", pass_csv, column, csv_record);
    report("csv 12, all quoted", pass_csv, column, quoted_record);
    report("regex  id=([0-9a-f]+)$", pass_regex, tail, log_record);
    report("regex web-\\d+\\S*", pass_regex, host, log_record);
    report("time, ISO 8601", pass_time, column, log_record);
    json_path_free(last);
    json_path_free(three);
    json_path_free(first);
    key_free(id);
    key_free(no_ts);
    key_free(no_column);
    csv_free(column);
    regex_free(tail);
    regex_free(host);
    return 0;
}
