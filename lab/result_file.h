/*
 * results.h - a file of results, which only grows
 *
 * What is there is read and checked before anything is run; a file that holds
 * anything else is refused and left alone.  Each measurement is appended whole
 * and handed to the system at once, so an interrupted run can go on.
 */
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include <stddef.h>

#include "fault.h"
#include "result_row.h"

struct results {
    const char *path;
    FILE *file;     /* to append to, or to read from */
    unsigned width; /* columns of its head */
    struct row *row;
    size_t rows;
};

/*
 * Read and lock the file, or begin it: with the head, behind what comments
 * says, lines that begin with #.  False and a sentence, and nothing is
 * changed; to be closed in any case.
 */
bool results_open(struct results *r, const char *path, const char *comments,
                  struct fault *why);

/* Only read a file.  False and a sentence; to be closed in any case. */
bool results_read(struct results *r, const char *path, struct fault *why);

/* The row of a whole stream measured on the same input, or NULL.  The points
   of its curve stand right before it. */
const struct row *results_find(const struct results *r,
                               const struct row *input);

/* Append n rows.  False and a sentence. */
bool results_add(struct results *r, const struct row *row, size_t n,
                 struct fault *why);

void results_close(struct results *r);

#endif
