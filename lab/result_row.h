/*
 * result_row.h - the columns of results, and their conversion to and from CSV
 *
 * A row consists of text, so that measured rows and rows read from a file are
 * alike.  One table has every fact about a column.  Cells without a value are
 * empty.
 *
 * A measurement has a row for each point of its curve, which counts from the
 * beginning of the stream up to there, then a row for the whole stream, whose
 * column point is empty.
 */
#ifndef RESULT_ROW_H
#define RESULT_ROW_H

#include <stdbool.h>
#include <stdio.h>

#include "fault.h"
#include "view.h"

/* Name, kind, and whether it is an input of the measurement or a result. */
#define ROW_COLUMNS(X)                                                         \
    X(EXPERIMENT, "experiment", ROW_TEXT, true)                                \
    X(STREAM, "stream", ROW_TEXT, true)                                        \
    X(KEY, "key", ROW_TEXT, true)                                              \
    X(ALGORITHM, "algorithm", ROW_TEXT, true)                                  \
    X(MEMORY, "memory", ROW_NUMBER, true)                                      \
    X(SEED, "seed", ROW_NUMBER, true)                                          \
    X(ERROR, "error", ROW_NUMBER, true)                                        \
    X(EXPECT, "expect", ROW_NUMBER, true)                                      \
    X(WINDOW, "window", ROW_NUMBER, true)                                      \
    X(GOAL, "goal", ROW_TEXT, true)                                            \
    X(CURVE, "curve", ROW_NUMBER, true)                                        \
    X(VERSION, "version", ROW_TEXT, true)                                      \
    X(POINT, "point", ROW_NUMBER, false)                                       \
    X(CHOSEN, "chosen", ROW_TEXT, false)                                       \
    X(PARAMS, "params", ROW_TEXT, false)                                       \
    X(BYTES, "bytes", ROW_NUMBER, false)                                       \
    X(RECORDS, "records", ROW_NUMBER, false)                                   \
    X(NEW, "new", ROW_NUMBER, false)                                           \
    X(DROPS, "drops", ROW_NUMBER, false)                                       \
    X(FPR, "fpr", ROW_NUMBER, false)                                           \
    X(FPR_LOW, "fpr_low", ROW_NUMBER, false)                                   \
    X(FPR_HIGH, "fpr_high", ROW_NUMBER, false)                                 \
    X(REPEATS, "repeats", ROW_NUMBER, false)                                   \
    X(PASSES, "passes", ROW_NUMBER, false)                                     \
    X(FNR, "fnr", ROW_NUMBER, false)                                           \
    X(FNR_LOW, "fnr_low", ROW_NUMBER, false)                                   \
    X(FNR_HIGH, "fnr_high", ROW_NUMBER, false)                                 \
    X(STEADY_NEW, "steady_new", ROW_NUMBER, false)                             \
    X(STEADY_DROPS, "steady_drops", ROW_NUMBER, false)                         \
    X(STEADY_FPR, "steady_fpr", ROW_NUMBER, false)                             \
    X(STEADY_FPR_LOW, "steady_fpr_low", ROW_NUMBER, false)                     \
    X(STEADY_FPR_HIGH, "steady_fpr_high", ROW_NUMBER, false)                   \
    X(STEADY_REPEATS, "steady_repeats", ROW_NUMBER, false)                     \
    X(STEADY_PASSES, "steady_passes", ROW_NUMBER, false)                       \
    X(STEADY_FNR, "steady_fnr", ROW_NUMBER, false)                             \
    X(STEADY_FNR_LOW, "steady_fnr_low", ROW_NUMBER, false)                     \
    X(STEADY_FNR_HIGH, "steady_fnr_high", ROW_NUMBER, false)                   \
    X(FILL, "fill", ROW_NUMBER, false)                                         \
    X(BITS, "bits_per_key", ROW_NUMBER, false)                                 \
    X(FLOOR, "floor_bits", ROW_NUMBER, false)                                  \
    X(THEORY_FPR, "theory_fpr", ROW_NUMBER, false)                             \
    X(THEORY_FNR, "theory_fnr", ROW_NUMBER, false)                             \
    X(THEORY, "theory", ROW_TEXT, false)                                       \
    X(PUBLISHED_FPR, "published_fpr", ROW_NUMBER, false)                       \
    X(PUBLISHED_FNR, "published_fnr", ROW_NUMBER, false)                       \
    X(NS, "ns", ROW_NUMBER, false)                                             \
    X(HASH_NS, "hash_ns", ROW_NUMBER, false)                                   \
    X(TOTAL_NS, "total_ns", ROW_NUMBER, false)                                 \
    X(TOGETHER, "side_by_side", ROW_NUMBER, false)                             \
    X(SEARCH, "search_length", ROW_NUMBER, false)                              \
    X(STABLE_FILL, "stable_fill", ROW_NUMBER, false)                           \
    X(STABLE_AFTER, "stable_after", ROW_NUMBER, false)

enum row_kind { ROW_TEXT, ROW_NUMBER };

enum row_column {
#define X(id, name, kind, input) ROW_##id,
    ROW_COLUMNS(X)
#undef X
        ROW_WIDTH
};

enum { ROW_ROOM = 3072 };

struct row {
    unsigned short at[ROW_WIDTH]; /* offset of each cell in text */
    unsigned short used;
    char text[ROW_ROOM]; /* begins with the empty cell */
};

void row_clear(struct row *row);
void row_set(struct row *row, enum row_column column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void row_real(struct row *row, enum row_column column, double value);

/* Return the text of a cell, and its number: NaN if it is empty. */
const char *row_cell(const struct row *row, enum row_column column);
double row_number(const struct row *row, enum row_column column);

/* Returns whether both have the same input. */
bool row_same_input(const struct row *a, const struct row *b);

/* Returns whether it is the row of a whole stream, not of a point. */
bool row_is_whole(const struct row *row);

/* Write the head of a file, and a row of ROW_WIDTH columns. */
void row_write_head(FILE *to);
void row_write_csv(const struct row *row, unsigned width, FILE *to);
void row_write_json(const struct row *row, FILE *to);

/* Reads one line of CSV with this number of columns, without its newline.
   Returns false and sets *why on error. */
bool row_read(struct row *row, struct view line, unsigned width,
              struct fault *why);

/*
 * Returns how many columns a file with this head has: all, or those of an older
 * release, which had fewer at the end.  0: it is no head.
 */
unsigned row_head_width(struct view line);

#endif
