/*
 * fuzz_keys.c - what a user says about keys, against records
 *
 * The input is a byte that chooses the kind of key, its text up to a newline,
 * and a record.  The text is refused with a reason, or each part of a key is
 * some bytes of the record, as they stand there or decoded, and so never
 * longer than it; the key does not depend on what the scratch memory held.
 */
#include "csv_text.h"
#include "fuzz.h"
#include "json_path.h"
#include "key.h"
#include "regex_find.h"

enum { KINDS = 6 };

/* A copy of exactly n bytes, for the sanitizers to watch its end. */
static char *copy_of(const void *from, size_t n)
{
    char *copy = malloc(n + !n);

    MUST(copy);
    memcpy(copy, from, n);
    return copy;
}

/* Is it there, byte by byte? */
static bool holds(struct view record, struct view part)
{
    for (size_t i = 0; i + part.len <= record.len; i++)
        if (memcmp(record.at + i, part.at, part.len) == 0)
            return true;
    return false;
}

static bool compile(struct key_spec *spec, unsigned kind, const char *text,
                    struct fault *why)
{
    const char *wrong;

    switch (kind) {
    case 0:
        spec->kind = KEY_FIELDS;
        wrong = key_fields_read(spec, text);
        fault_set(why, "%s", wrong ? wrong : "");
        return !wrong;
    case 1:
    case 2:
        spec->kind = kind == 1 ? KEY_JSON : KEY_JSON_WITHOUT;
        spec->json = json_path_create(text, why);
        return spec->json;
    case 3:
    case 4:
        spec->kind = kind == 3 ? KEY_CSV : KEY_CSV_WITHOUT;
        spec->csv = csv_create(text, ',', why);
        return spec->csv;
    default:
        spec->kind = KEY_REGEX;
        spec->regex = regex_create(text, spec->fold, why);
        return spec->regex;
    }
}

/* Length and bytes of each part, one after the other, up to the very end. */
static void check_parts(const struct key_spec *spec, struct view record,
                        struct view key)
{
    bool decoded = spec->kind == KEY_JSON || spec->kind == KEY_CSV;

    while (key.len) {
        uint64_t len;

        MUST(key.len >= sizeof len);
        memcpy(&len, key.at, sizeof len);
        key.at += sizeof len;
        key.len -= sizeof len;
        if (len == UINT64_MAX) /* absent */
            continue;
        len &= UINT64_MAX >> 8; /* the type is above */
        MUST(len <= record.len && len <= key.len);
        MUST(decoded || spec->fold ||
             holds(record, (struct view){key.at, len}));
        key.at += len;
        key.len -= len;
    }
}

static void look(const struct key_spec *spec, struct view record)
{
    struct key_scratch scratch = {0}, again = {0};
    struct view key = {NULL, 0}, other = {NULL, 0};
    enum key_result got = key_of(spec, record, &scratch, &key);

    MUST(got != KEY_MEMORY);
    if (got != KEY_MALFORMED && scratch.parts)
        check_parts(spec, record, key);
    else if (got != KEY_MALFORMED)
        MUST(key.len <= record.len);
    MUST(key_add_part(&again, record)); /* what a record before may leave */
    MUST(key_of(spec, record, &again, &other) == got);
    if (got != KEY_MALFORMED)
        MUST(key.len == other.len && memcmp(key.at, other.at, key.len) == 0);
    key_scratch_free(&scratch);
    key_scratch_free(&again);
}

/* Names want a header: the record itself will do. */
static bool resolved(const struct key_spec *spec, struct view header)
{
    struct fault why = {""};

    if (!spec->csv || !csv_wants_header(spec->csv) ||
        csv_read_header(spec->csv, header, &why))
        return true;
    MUST(why.text[0]);
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    unsigned bits = (unsigned)take(&in, 1);
    struct key_spec spec = {.separator = bits & 8 ? ',' : -1,
                            .fold = bits & 16,
                            .crlf = bits & 32};
    const uint8_t *newline = in.left ? memchr(in.at, '\n', in.left) : NULL;
    size_t len = newline ? (size_t)(newline - in.at) : in.left;
    size_t rest = newline ? in.left - len - 1 : 0;
    char *text = strndup(in.left ? (const char *)in.at : "", len);
    char *bytes = copy_of(data + size - rest, rest);
    struct view record = {bytes, rest};
    struct fault why = {""};

    MUST(text);
    if (!compile(&spec, (bits & 7) % KINDS, text, &why))
        MUST(why.text[0] && !strpbrk(why.text, "\n\r\033"));
    else if (resolved(&spec, record))
        look(&spec, record);
    key_spec_free(&spec);
    free(bytes);
    free(text);
    return 0;
}
