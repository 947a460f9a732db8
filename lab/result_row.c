/*
 * result_row.c - the columns of results, and their conversion to and from CSV
 */
#include "result_row.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "json_writer.h"

static const struct {
    const char *name;
    enum row_kind kind;
    bool input;
} columns[ROW_WIDTH] = {
#define X(id, name, kind, input) {name, kind, input},
    ROW_COLUMNS(X)
#undef X
};

/* ---- Cells ------------------------------------------------------------ */

void row_clear(struct row *row)
{
    *row = (struct row){.used = 1};
}

/* Cuts the text if the row is full, which its longest texts never reach. */
static void put(struct row *row, enum row_column column, const char *text,
                size_t len)
{
    size_t room = sizeof row->text - row->used - 1;

    len = len < room ? len : room;
    if (len == 0)
        return;
    row->at[column] = row->used;
    for (size_t i = 0; i < len; i++) /* a row is one line */
        row->text[row->used + i] =
            text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    row->used = (unsigned short)(row->used + len);
    row->text[row->used++] = '\0';
}

void row_set(struct row *row, enum row_column column, const char *format, ...)
{
    char text[640];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    put(row, column, text, strlen(text));
}

void row_real(struct row *row, enum row_column column, double value)
{
    if (!isnan(value))
        row_set(row, column, "%.6g", value);
}

const char *row_cell(const struct row *row, enum row_column column)
{
    return row->text + row->at[column];
}

double row_number(const struct row *row, enum row_column column)
{
    const char *cell = row_cell(row, column);

    return *cell ? strtod(cell, NULL) : (double)NAN;
}

bool row_same_input(const struct row *a, const struct row *b)
{
    for (unsigned i = 0; i < ROW_WIDTH; i++)
        if (columns[i].input && strcmp(row_cell(a, i), row_cell(b, i)) != 0)
            return false;
    return true;
}

bool row_is_whole(const struct row *row)
{
    return *row_cell(row, ROW_POINT) == '\0';
}

/* ---- Writing ---------------------------------------------------------- */

static void write_cell(const char *cell, FILE *to)
{
    if (!strpbrk(cell, ",\"\n\r")) {
        fputs(cell, to);
        return;
    }
    putc('"', to);
    for (; *cell; cell++) {
        if (*cell == '"')
            putc('"', to);
        putc(*cell, to);
    }
    putc('"', to);
}

void row_write_head(FILE *to)
{
    for (unsigned i = 0; i < ROW_WIDTH; i++)
        fprintf(to, "%s%s", i ? "," : "", columns[i].name);
    putc('\n', to);
}

void row_write_csv(const struct row *row, unsigned width, FILE *to)
{
    for (unsigned i = 0; i < width; i++) {
        if (i)
            putc(',', to);
        write_cell(row_cell(row, i), to);
    }
    putc('\n', to);
}

/* Numbers are written as in the CSV, so that both are the same. */
void row_write_json(const struct row *row, FILE *to)
{
    struct json j = {.to = to};

    json_begin(&j, NULL, '{');
    for (unsigned i = 0; i < ROW_WIDTH; i++) {
        const char *cell = row_cell(row, i);

        if (columns[i].kind == ROW_TEXT && *cell)
            json_text(&j, columns[i].name, cell);
        else if (*cell && !strpbrk(cell, ".e"))
            json_count(&j, columns[i].name, strtoull(cell, NULL, 10));
        else
            json_real(&j, columns[i].name, row_number(row, i));
    }
    json_end(&j, '}');
    putc('\n', to);
}

/* ---- Reading ---------------------------------------------------------- */

static bool is_number(const char *text)
{
    char *end;

    strtod(text, &end);
    return end != text && *end == '\0';
}

static bool check_cell(const struct row *row, unsigned i, struct fault *why)
{
    const char *cell = row_cell(row, i);

    if (*cell && columns[i].kind == ROW_NUMBER && !is_number(cell)) {
        fault_set(why, "%s is no number: '%.40s'", columns[i].name, cell);
        return false;
    }
    return true;
}

bool row_read(struct row *row, struct view line, unsigned width,
              struct fault *why)
{
    const char *p = line.at, *end = csv_fields_end(line);
    struct csv_field field;
    char scratch[ROW_ROOM];
    unsigned n = 0;
    int got = line.len < sizeof scratch ? 1 : CSV_MALFORMED;

    row_clear(row);
    while (got == 1 && (got = csv_next(&p, end, ',', &field)) == 1) {
        struct view text = csv_text(&field, scratch);

        if (n < width) {
            put(row, n, text.at, text.len);
            if (!check_cell(row, n, why))
                return false;
        }
        n++;
    }
    if (got == CSV_MALFORMED)
        fault_set(why, "is not CSV");
    else if (n != width)
        fault_set(why, "has %u columns, not %u", n, width);
    else
        return true;
    return false;
}

unsigned row_head_width(struct view line)
{
    const char *p = line.at, *end = csv_fields_end(line);
    struct csv_field field;
    unsigned n = 0;

    for (; csv_next(&p, end, ',', &field) == 1; n++)
        if (n == ROW_WIDTH || strlen(columns[n].name) != field.raw.len ||
            memcmp(columns[n].name, field.raw.at, field.raw.len) != 0)
            return 0;
    return n > ROW_TOGETHER ? n : 0;
}
