/*
 * result_file.h - a file of results, to which rows are appended
 *
 * An existing file is read and checked before anything is measured; a file with
 * other content is refused and not changed.  Each measurement is appended as a
 * whole and written at once, so that an interrupted run can be continued.
 */
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include <stddef.h>

#include "fault.h"
#include "result_row.h"

struct results {
    const char *path;
    FILE *file;     /* open for appending or for reading */
    unsigned width; /* columns of its head */
    struct row *row;
    size_t rows;
};

/*
 * Reads and locks the file, or creates it with comments, which are lines that
 * begin with #, and the head.  Returns false and sets *why, and changes
 * nothing, on error; to be closed in any case.
 */
bool results_open(struct results *r, const char *path, const char *comments,
                  struct fault *why);

/* Reads a file only.  Returns false and sets *why on error; to be closed in any
   case. */
bool results_read(struct results *r, const char *path, struct fault *why);

/* Returns the row of a whole stream with the same input, or NULL.  The points
   of its curve directly precede it. */
const struct row *results_find(const struct results *r,
                               const struct row *input);

/* Appends n rows.  Returns false and sets *why on error. */
bool results_add(struct results *r, const struct row *row, size_t n,
                 struct fault *why);

void results_close(struct results *r);

#endif
