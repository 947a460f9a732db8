/*
 * result_table.h - results for people
 */
#ifndef RESULT_TABLE_H
#define RESULT_TABLE_H

#include "result_row.h"

struct table {
    int width; /* of the longest algorithm */
    bool begun;
    char stream[64]; /* the one that rows were printed of, or its beginning */
    bool together;   /* a time was marked */
};

/* Print the rows of one measurement; before them the stream and the titles
   where the stream is another than before. */
void table_rows(struct table *t, const struct row *row, size_t n);

/* An algorithm that cannot be made. */
void table_skip(struct table *t, const char *algorithm, const char *why);

/* What the marks mean. */
void table_end(const struct table *t);

#endif
