/*
 * result_table.h - prints results as text
 */
#ifndef RESULT_TABLE_H
#define RESULT_TABLE_H

#include "result_row.h"

struct table {
    int width; /* width of the longest algorithm */
    bool begun;
    char stream[64]; /* the stream of the last rows, possibly cut */
    bool together;   /* a time was marked */
};

/* Prints the rows of one measurement, after the stream and the titles if the
   stream differs from the last one. */
void table_rows(struct table *t, const struct row *row, size_t n);

/* Prints an algorithm that cannot be used, and why. */
void table_skip(struct table *t, const char *algorithm, const char *why);

/* Prints the meaning of the marks. */
void table_end(const struct table *t);

#endif
