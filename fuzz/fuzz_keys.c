/*
 * fuzz_keys.c - descriptions of keys, applied to records
 *
 * The input is a byte that chooses the kind of key, its text up to a newline,
 * and a record.  The text is refused with a reason, or each part of a key
 * consists of bytes of the record, unchanged or decoded, and is never longer
 * than the record; the key does not depend on earlier content of the scratch
 * memory.  A truncated JSON record has no key, or is no object or array.
 */
#include "fuzz.h"
#include "key.h"

enum { KINDS = 6 };

/* Returns whether the record contains the part. */
static bool holds(struct view record, struct view part)
{
    for (size_t i = 0; i + part.len <= record.len; i++)
        if (memcmp(record.at + i, part.at, part.len) == 0)
            return true;
    return false;
}

static const char *const options[KINDS] = {
    "key", "json", "exclude", "csv", "exclude", "regex",
};

/* Checks that the key is the length and the bytes of each part, up to its
   end. */
static void check_parts(const struct key *spec, struct view record,
                        struct view key)
{
    bool decoded = spec->type->csv_records || spec->type->json_records;

    while (key.len) {
        uint64_t len;

        MUST(key.len >= sizeof len);
        memcpy(&len, key.at, sizeof len);
        key.at += sizeof len;
        key.len -= sizeof len;
        if (len == UINT64_MAX) /* absent */
            continue;
        len &= UINT64_MAX >> 8; /* the type is in the top byte */
        MUST(len <= record.len && len <= key.len);
        MUST(decoded || spec->settings.fold ||
             holds(record, (struct view){key.at, len}));
        key.at += len;
        key.len -= len;
    }
}

static void check_record(const struct key *spec, struct view record)
{
    struct key_scratch scratch = {0}, again = {0};
    struct view key = {NULL, 0}, other = {NULL, 0};
    enum key_result got = key_of(spec, record, &scratch, &key);

    MUST(got != KEY_MEMORY);
    if (got == KEY_MISSING && key.len < sizeof(uint64_t))
        MUST(spec->places == 1); /* the mark of a single field */
    else if (got != KEY_MALFORMED && scratch.parts)
        check_parts(spec, record, key);
    else if (got != KEY_MALFORMED)
        MUST(key.len <= record.len);
    MUST(key_add_part(&again, record)); /* left by an earlier record */
    MUST(key_of(spec, record, &again, &other) == got);
    if (got != KEY_MALFORMED)
        MUST(key.len == other.len && memcmp(key.at, other.at, key.len) == 0);
    key_scratch_free(&scratch);
    key_scratch_free(&again);
}

/* A truncated JSON record is malformed, wherever its key is. */
static void check_truncated(const struct key *spec, struct view record)
{
    struct key_scratch scratch = {0};
    struct view key;
    size_t cut;

    while (record.len && strchr(" \t\r\n", record.at[record.len - 1]))
        record.len--;
    if (spec->type->json_records && record.len &&
        strchr("]}", record.at[record.len - 1]) &&
        key_of(spec, record, &scratch, &key) != KEY_MALFORMED)
        for (cut = 1; cut < record.len; cut += 1 + cut / 4) {
            struct view torn = {record.at, record.len - cut};

            MUST(key_of(spec, torn, &scratch, &key) == KEY_MALFORMED);
        }
    key_scratch_free(&scratch);
}

/* Names need a header: the record itself is used. */
static void check_below_header(const struct key *spec, struct view record)
{
    struct fault why = {""};
    struct key *found;

    if (!spec->wants_header) {
        check_record(spec, record);
        check_truncated(spec, record);
        return;
    }
    found = key_with_header(spec, record, &why);
    if (found)
        check_record(found, record);
    else
        MUST(why.text[0]);
    key_free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    unsigned bits = (unsigned)take(&in, 1);
    struct key_settings settings = {.separator = bits & 8 ? ',' : -1,
                                    .fold = bits & 16,
                                    .crlf = bits & 32};
    const uint8_t *newline = in.left ? memchr(in.at, '\n', in.left) : NULL;
    size_t len = newline ? (size_t)(newline - in.at) : in.left;
    size_t rest = newline ? in.left - len - 1 : 0;
    char *text = strndup(in.left ? (const char *)in.at : "", len);
    char *bytes = copy_of(data + size - rest, rest);
    struct fault why = {""};
    struct key *spec;

    MUST(text);
    spec = key_create(options[(bits & 7) % KINDS], text, &settings, &why);
    if (spec)
        check_below_header(spec, (struct view){bytes, rest});
    else
        MUST(why.text[0] && !strpbrk(why.text, "\n\r\033"));
    key_free(spec);
    free(bytes);
    free(text);
    return 0;
}
