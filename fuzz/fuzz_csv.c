/*
 * fuzz_csv.c - the division of the input does not change the records
 *
 * Two bytes choose the separator and how the rest is divided.  The oracle is
 * the definition, byte by byte.
 */
#include "csv_text.h"
#include "fuzz.h"

static char *exact(size_t n)
{
    char *memory = malloc(n + !n);

    MUST(memory);
    return memory;
}

/* Returns the end of the record at p: a newline outside quotes, or end. */
static const char *slow_end(const char *p, const char *end, char separator)
{
    int opens = 1, quoted = 0;

    for (; p < end; p++) {
        if (quoted && *p == '"' && end - p > 1 && p[1] == '"') {
            p++;
        } else if (quoted) {
            quoted = *p != '"';
        } else if (*p == '\n') {
            return p;
        } else {
            quoted = opens && *p == '"';
            opens = *p == separator;
        }
    }
    return end;
}

/* Columns lie inside the record, decoding makes them no longer, and a record
   whose columns were found is well formed to its end. */
static void check_record(struct view record, char separator)
{
    struct csv *csv = csv_create("4,2", separator, NULL);
    const char *p = record.at, *end = csv_fields_end(record);
    struct csv_field field[2], f;
    char *scratch = exact(record.len);
    size_t n = 0, listed = 0;
    int status, more;

    MUST(csv);
    status = csv_find(csv, record, field);
    for (; (more = csv_next(&p, end, separator, &f)) > 0; n++) {
        MUST(f.raw.at >= record.at && f.raw.at + f.raw.len <= end);
        MUST(csv_text(&f, scratch).len <= f.raw.len);
        MUST(csv_lists(csv, n, &listed) == (n == 1 || n == 3));
        if (n == 1 && status == CSV_OK)
            MUST(field[1].found && field[1].raw.at == f.raw.at);
    }
    MUST(more == status);
    MUST(more < 0 || field[0].found == (n > 3));
    free(scratch);
    csv_free(csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    char separator = ",;\t|"[take(&in, 1) % 4];
    uint64_t cut = take(&in, 1) | 1;
    const char *start = (const char *)in.at, *p = start;
    const char *end = start ? start + in.left : start;
    struct csv_splitter s;

    csv_splitter_init(&s, separator);
    while (p < end) {
        size_t chunk = 1 + (cut = cut * 5 + 1) % 97 % 24;
        const char *to = (size_t)(end - p) < chunk ? end : p + chunk;
        const char *found = csv_record_end(&s, p, to);

        p = found ? found + 1 : to;
        if (found || p == end) {
            size_t len = (size_t)((found ? found : end) - start);
            char *record = exact(len);

            MUST(slow_end(start, end, separator) == start + len);
            memcpy(record, start, len);
            check_record((struct view){record, len}, separator);
            free(record);
            start = p;
        }
    }
    return 0;
}
