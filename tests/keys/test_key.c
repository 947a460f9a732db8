/*
 * test_key.c - keys of several parts: equal if every part is, and only then
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "key.h"

enum { PARTS = 5, PART = 1200, RECORD = PARTS * (PART + 8) };

struct parts {
    struct view part[PARTS];
};

/* A way to write parts as a record, and to take them out again. */
struct way {
    const char *name;
    const char *option, *text;
    const char *opens, *before, *after, *between, *closes;
};

#define PATHS ".[0],.[1],.[2],.[3],.[4]"

static const struct way ways[] = {
    {"fields", "key", "1-5", "", "", "", ",", ""},
    {"csv", "csv", "5,1,4,2,3", "", "", "", ",", ""},
    {"quoted csv", "csv", "5,1,4,2,3", "", "\"", "\"", ",", ""},
    {"json", "json", PATHS, "[", "\"", "\"", ",", "]"},
#ifdef FRESHET_HAVE_PCRE2
    {"regex", "regex", "^([^,]*),([^,]*),([^,]*),([^,]*),([^,]*)$", "", "", "",
     ",", ""},
#endif
};
enum { WAYS = sizeof ways / sizeof *ways };

static struct key *key_for(const struct way *way)
{
    struct key_settings settings = KEY_SETTINGS;
    struct fault why = {""};
    struct key *key;

    settings.separator = strcmp(way->option, "key") == 0 ? ',' : -1;
    key = key_create(way->option, way->text, &settings, &why);
    if (!key)
        fail_msg("%s", why.text);
    return key;
}

/* A record's key, in memory of its own. */
struct bytes {
    char *at;
    size_t len;
};

static size_t append(char *record, size_t len, const char *at, size_t n)
{
    memcpy(record + len, at, n);
    return len + n;
}

static struct bytes key_by(const struct way *way, const struct key *spec,
                           const struct parts *p)
{
    static char record[RECORD];
    struct key_scratch scratch = {0};
    struct view key;
    struct bytes out;
    size_t len = append(record, 0, way->opens, strlen(way->opens));

    for (size_t i = 0; i < PARTS; i++) {
        len = append(record, len, i ? way->between : "", i > 0);
        len = append(record, len, way->before, strlen(way->before));
        len = append(record, len, p->part[i].at, p->part[i].len);
        len = append(record, len, way->after, strlen(way->after));
    }
    len = append(record, len, way->closes, strlen(way->closes));
    assert_int_equal(key_of(spec, (struct view){record, len}, &scratch, &key),
                     KEY_FOUND);
    out = (struct bytes){malloc(key.len + 1), key.len};
    assert_non_null(out.at);
    memcpy(out.at, key.at, key.len);
    key_scratch_free(&scratch);
    return out;
}

static bool same_key(struct bytes a, struct bytes b)
{
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

static bool same_parts(const struct parts *a, const struct parts *b)
{
    for (size_t i = 0; i < PARTS; i++)
        if (a->part[i].len != b->part[i].len ||
            memcmp(a->part[i].at, b->part[i].at, a->part[i].len) != 0)
            return false;
    return true;
}

/* Short parts of few letters, so that many are equal and many run into each
   other: ("ab", "c") and ("a", "bc"). */
static void parts_never_run_together(void **state)
{
    enum { RECORDS = 600 };
    static struct parts p[RECORDS];
    static struct bytes key[RECORDS];
    unsigned x = 1;

    (void)state;
    for (size_t i = 0; i < RECORDS; i++)
        for (size_t j = 0; j < PARTS; j++) {
            x = x * 1103515245 + 12345;
            p[i].part[j] = (struct view){&"aabab"[(x >> 16) % 3],
                                         j < 3 ? (x >> 20) % 3 : 0};
        }
    for (size_t w = 0; w < WAYS; w++) {
        struct key *spec = key_for(&ways[w]);

        for (size_t i = 0; i < RECORDS; i++)
            key[i] = key_by(&ways[w], spec, &p[i]);
        for (size_t i = 0; i < RECORDS; i++)
            for (size_t j = 0; j < i; j++)
                if (same_key(key[i], key[j]) != same_parts(&p[i], &p[j]))
                    fail_msg("%s: records %zu and %zu", ways[w].name, i, j);
        for (size_t i = 0; i < RECORDS; i++)
            free(key[i].at);
        key_free(spec);
    }
}

static void every_part_changes_the_key(void **state)
{
    struct parts whole, other;

    (void)state;
    for (size_t i = 0; i < PARTS; i++)
        whole.part[i] = (struct view){"one", 3};
    for (size_t w = 0; w < WAYS; w++) {
        struct key *spec = key_for(&ways[w]);
        struct bytes key, changed;

        key = key_by(&ways[w], spec, &whole);
        for (size_t i = 0; i < PARTS; i++) {
            other = whole;
            other.part[i] = (struct view){"two", 3};
            changed = key_by(&ways[w], spec, &other);
            if (same_key(key, changed))
                fail_msg("%s: part %zu makes no difference", ways[w].name, i);
            free(changed.at);
        }
        free(key.at);
        key_free(spec);
    }
}

/* At any length, and wherever the byte is. */
static void one_byte_of_a_long_part_changes_the_key(void **state)
{
    static char plain[PART], touched[PART];
    struct parts p = {0}, q;

    (void)state;
    memset(plain, 'k', PART);
    memset(touched, 'k', PART);
    for (size_t i = 0; i < PARTS; i++)
        p.part[i] = (struct view){"x", 1};
    for (size_t w = 0; w < WAYS; w++) {
        struct key *spec = key_for(&ways[w]);

        for (size_t len = 1; len <= PART; len += 1 + len / 5)
            for (size_t at = 0; at < len; at += 1 + at / 3) {
                struct bytes a, b;

                touched[at] = 'K';
                q = p;
                p.part[2] = (struct view){plain, len};
                q.part[2] = (struct view){touched, len};
                a = key_by(&ways[w], spec, &p);
                b = key_by(&ways[w], spec, &q);
                if (same_key(a, b))
                    fail_msg("%s: byte %zu of %zu", ways[w].name, at, len);
                touched[at] = 'k';
                free(a.at);
                free(b.at);
            }
        key_free(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_never_run_together),
        cmocka_unit_test(every_part_changes_the_key),
        cmocka_unit_test(one_byte_of_a_long_part_changes_the_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
