/*
 * fuzz_records.c - bytes to records to keys
 *
 * The same records come out however the bytes come in, lines or CSV; a key
 * lies inside its record or in scratch memory, and is the same the second
 * time.
 */
#include <unistd.h>

#include "fuzz.h"
#include "key.h"
#include "splitter.h"

enum { LONGEST = 4096, RECORDS = 8 };

/* How records end. */
struct form {
    char delimiter;
    bool csv;
    struct csv_splitter splitter;
};

/* The next record, by the plain way: all of the input is at hand. */
static struct view expected(struct view *rest, const struct form *form)
{
    const char *end = rest->at + rest->len, *stop;
    struct csv_splitter anew;

    csv_splitter_init(&anew, ',');
    stop = form->csv ? csv_record_end(&anew, rest->at, end)
                     : memchr(rest->at, form->delimiter, rest->len);
    if (!stop && form->csv && end[-1] == '\n')
        stop = end - 1; /* in open quotes, and still the last one's end */
    struct view record = {rest->at,
                          stop ? (size_t)(stop - rest->at) : rest->len};
    size_t used = record.len + (stop != NULL);

    rest->at += used;
    rest->len -= used;
    return record;
}

static void same(struct view a, struct view b)
{
    MUST(a.len == b.len && memcmp(a.at, b.at, a.len) == 0);
}

static void check_key(const struct key *spec, struct view record)
{
    struct key_scratch scratch = {0}, again = {0};
    struct view key, other;
    enum key_result got = key_of(spec, record, &scratch, &key);
    bool inside, copied;

    MUST(got == KEY_FOUND || got == KEY_MISSING);
    inside = key.at >= record.at && key.at + key.len <= record.at + record.len;
    copied = key.len <= scratch.size && key.at == scratch.at;
    MUST(key.len == 0 || inside || copied);
    MUST(key_of(spec, record, &again, &other) == got);
    same(key, other);
    key_scratch_free(&scratch);
    key_scratch_free(&again);
}

static struct key *read_key(struct input *in)
{
    unsigned bits = (unsigned)take(in, 1);
    struct key_settings settings = {.crlf = bits & 2,
                                    .fold = bits & 4,
                                    .most_bytes = UINT64_MAX,
                                    .separator = bits & 16 ? ',' : -1};
    uint64_t skip_fields = take(in, 1) % 4, skip_bytes = take(in, 1) % 8;
    struct key *key = NULL;
    char list[9] = "";

    for (size_t i = 0; i < 8; i++)
        list[i] = "0123,-,9"[take(in, 1) % 8];
    list[bits >> 5] = '\0';
    if (bits & 1) {
        settings.skip_fields = skip_fields;
        settings.skip_bytes = skip_bytes;
        settings.most_bytes = bits & 8 ? 5 : UINT64_MAX;
        key = key_create("key", list, &settings, NULL);
    }
    if (!key)
        key = key_create(NULL, NULL, &settings, NULL);
    MUST(key);
    return key;
}

/* Whole records of the window, each as it should be. */
static void drain(struct reader *r, struct form *form, struct view *rest,
                  const struct key *spec)
{
    struct view record[RECORDS];
    size_t n;

    do {
        n = form->csv ? split_csv(r, &form->splitter, record, RECORDS)
                      : split_records(r, form->delimiter, record, RECORDS);
        for (size_t i = 0; i < n; i++) {
            MUST(rest->len > 0);
            same(record[i], expected(rest, form));
            MUST(record[i].at[record[i].len] == form->delimiter);
            check_key(spec, record[i]);
        }
    } while (n > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct key *spec;
    struct reader r;
    unsigned kind = (unsigned)take(&in, 1);
    struct form form = {.delimiter = kind & 1 ? '\0' : '\n',
                        .csv = (kind & 3) == 2};
    size_t chunk = 1 + take(&in, 2) % LONGEST;
    int ends[2];

    csv_splitter_init(&form.splitter, ',');
    spec = read_key(&in);
    struct view rest = {(const char *)in.at, in.left}, unsent = rest;

    MUST(pipe(ends) == 0 && reader_init(&r, READER_WINDOW, SIZE_MAX) == 0);
    MUST(dup2(ends[0], STDIN_FILENO) >= 0 && close(ends[0]) == 0);
    r.as_is = true; /* bytes are to come out as they went in */
    MUST(reader_open(&r, "-") == 0);
    while (unsent.len) {
        size_t n = unsent.len < chunk ? unsent.len : chunk;

        MUST(write(ends[1], unsent.at, n) == (ssize_t)n);
        unsent.at += n;
        unsent.len -= n;
        MUST(reader_fill(&r) == 1);
        drain(&r, &form, &rest, spec);
    }
    close(ends[1]);
    MUST(reader_fill(&r) == 0);
    drain(&r, &form, &rest, spec);
    MUST(rest.len == 0);
    reader_free(&r);
    key_free(spec);
    return 0;
}
