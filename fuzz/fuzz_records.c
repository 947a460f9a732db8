/*
 * fuzz_records.c - from bytes to records to keys
 *
 * The records do not depend on how the input is divided, for lines and for CSV;
 * a key lies inside its record or in scratch memory, and is the same the second
 * time.
 */
#include <unistd.h>

#include "fuzz.h"
#include "key.h"
#include "source_file.h"
#include "splitter.h"

enum { LONGEST = 4096, WINDOW = 512, RECORDS = 8, PIECES = 16 };

/* How records end. */
struct form {
    char delimiter;
    bool csv;
};

/* Returns the next record by a simple method: the whole input is in memory. */
static struct view expected(struct view *rest, const struct form *form)
{
    const char *end = rest->at + rest->len, *stop;
    struct csv_splitter anew;

    csv_splitter_init(&anew, ',');
    stop = form->csv ? csv_record_end(&anew, rest->at, end)
                     : memchr(rest->at, form->delimiter, rest->len);
    if (!stop && form->csv && end[-1] == '\n')
        stop = end - 1; /* in open quotes, but still the end of the last
                           record */
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

/* Checks the records of a chunk. */
static void check(const struct source *source, struct chunk *c,
                  struct view *rest, const struct form *form,
                  const struct key *spec)
{
    MUST(source->type->load(source, c, NULL));
    do {
        if (!c->is_split)
            split_records(c, &source->framing);
        MUST(c->n > 0);
        for (size_t i = 0; i < c->n; i++) {
            MUST(rest->len > 0);
            same(c->record[i], expected(rest, form));
            MUST(c->record[i].at[c->record[i].len] == form->delimiter);
            check_key(spec, c->record[i]);
        }
    } while (c->start < c->end);
}

/* Claims once.  Returns whether there may be more. */
static bool claim(struct source *source, struct chunk *c, struct view *rest,
                  const struct form *form, const struct key *spec)
{
    enum source_result got = source->type->claim(source, c, NULL);

    MUST(got != SOURCE_FAILED);
    if (got == SOURCE_CHUNK)
        check(source, c, rest, form, spec);
    return got != SOURCE_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct key *spec;
    struct source *source;
    struct chunk chunk;
    unsigned kind = (unsigned)take(&in, 1);
    struct form form = {.delimiter = kind & 1 ? '\0' : '\n',
                        .csv = (kind & 3) == 2};
    size_t piece = 1 + take(&in, 2) % LONGEST;
    int ends[2];

    spec = read_key(&in);
    struct view rest = {(const char *)in.at, in.left}, unsent = rest;
    if (piece < in.left / PIECES) /* otherwise system calls take all the time */
        piece = in.left / PIECES;
    const struct source_file_config config = {.framing = {.csv = form.csv,
                                                          .delimiter =
                                                              form.delimiter,
                                                          .separator = ',',
                                                          .most = SIZE_MAX},
                                              .window = WINDOW,
                                              .as_is = true};

    source = source_file_create(&config);
    MUST(source && chunk_init(&chunk, WINDOW, RECORDS) && pipe(ends) == 0);
    MUST(dup2(ends[0], STDIN_FILENO) >= 0 && close(ends[0]) == 0);
    MUST(source_file_open(source, "-"));
    while (unsent.len) {
        size_t n = unsent.len < piece ? unsent.len : piece;

        MUST(write(ends[1], unsent.at, n) == (ssize_t)n);
        unsent.at += n;
        unsent.len -= n;
        while (source->type->is_ready(source))
            (void)claim(source, &chunk, &rest, &form, spec);
    }
    close(ends[1]);
    while (claim(source, &chunk, &rest, &form, spec))
        ;
    MUST(rest.len == 0);
    chunk_free(&chunk);
    source->type->free(source);
    key_free(spec);
    return 0;
}
