/*
 * csv_text.h - records and columns of CSV (RFC 4180)
 *
 * A field that begins with a double quote ends at the next one that is not
 * doubled; between the two, separators and newlines are data and "" stands for
 * one quote.  In a field that does not begin with a quote, quotes are data.  A
 * carriage return at the very end of a record belongs to its line end.  Text
 * between a closing quote and the next separator is an error, and so is a quote
 * that is never closed.
 */
#ifndef CSV_TEXT_H
#define CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "view.h"

enum { CSV_COLUMNS = 64 }; /* most columns in one list */

enum csv_status { CSV_OK = 0, CSV_MALFORMED = -1 };

/* ---- Records ---------------------------------------------------------- */

/* The state of a splitter between calls of csv_record_end(). */
struct csv_splitter {
    char separator;
    char before; /* the last byte that was read */
    enum { CSV_PLAIN, CSV_QUOTED, CSV_CLOSING } state;
    uint64_t lines;      /* newlines that were read, in quotes or not */
    uint64_t quote_line; /* the line of the last opening quote, from 1 */
};

void csv_splitter_init(struct csv_splitter *s, char separator);

/*
 * Continues in [p, end).  Returns the newline that ends the record, or NULL if
 * the record does not end there; then call again with the bytes that follow.
 * The result does not depend on where the input was divided.  After a newline
 * the next record begins.
 */
const char *csv_record_end(struct csv_splitter *s, const char *p,
                           const char *end);

/*
 * Returns the line, from 1, of the quote that is open at this point, or 0 if
 * none is.  If that is the end of the input, the last record is malformed and
 * contains everything after the quote.
 */
uint64_t csv_open_quote(const struct csv_splitter *s);

/* ---- Columns ---------------------------------------------------------- */

struct csv_column {
    struct view name; /* at is NULL for a number */
    size_t number;    /* from 0; for a name, set when a header is read */
};

struct csv {
    char separator;
    size_t n;
    size_t names_size;                     /* bytes */
    struct csv_column column[CSV_COLUMNS]; /* in the order of the list */
    unsigned char order[CSV_COLUMNS];      /* indices of columns, from left to
                                              right */
    char names[];
};

struct csv_field {
    bool found;      /* the record has this column */
    bool quoted;     /* raw is enclosed in quotes, which are not part of it */
    bool doubled;    /* raw has doubled quotes */
    struct view raw; /* inside the record */
};

/* Returns whether a byte may separate fields; quotes and line ends may not. */
bool csv_is_separator(char c);

/*
 * Returns the columns of a list such as "id,3,\"a,b\"", or NULL and a reason if
 * there is an error in it.  Digits are a number, from 1; everything else is a
 * name, and so are digits in quotes.
 */
struct csv *csv_create(const char *list, char separator, struct fault *why);

/* Accepts NULL. */
void csv_free(struct csv *csv);

/* Returns whether there are names, which need a header to be found. */
bool csv_wants_header(const struct csv *csv);

/*
 * Returns the columns for a file with this header, in which names are found
 * after an optional byte order mark.  Returns NULL and sets *why if a name does
 * not occur exactly once.
 */
struct csv *csv_with_header(const struct csv *csv, struct view header,
                            struct fault *why);

/* Returns whether the column of this number is listed.  Call it from left to
   right; *at is 0 before the first call. */
bool csv_lists(const struct csv *csv, size_t number, size_t *at);

/* Returns where a record's fields end: before the carriage return of its line
   end. */
const char *csv_fields_end(struct view record);

/* Reads the next field, from *p to that end.  Returns 1 and a field, 0 if there
   are no more, or CSV_MALFORMED. */
int csv_next(const char **p, const char *end, char separator,
             struct csv_field *field);

/* Finds the listed columns of a record, which is checked to its end.  field[i]
   is the i-th of the list.  Returns CSV_OK or CSV_MALFORMED. */
int csv_find(const struct csv *csv, struct view record,
             struct csv_field *field);

/* Returns a field's text.  It is written to scratch, which has raw.len bytes,
   only if the field has doubled quotes. */
struct view csv_text(const struct csv_field *field, char *scratch);

#endif
