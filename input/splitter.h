/*
 * splitter.h - a window of bytes into records
 */
#ifndef SPLITTER_H
#define SPLITTER_H

#include "csv_text.h"
#include "reader.h"
#include "view.h"

/*
 * Up to n whole records, in order; fewer when the reader must fill first, or
 * met a record over its limit.  A view leaves the delimiter out, but there
 * always is one behind it: the last record of a file gets one if it has none.
 */
size_t split_records(struct reader *r, char delimiter, struct view *record,
                     size_t n);

/* The same for CSV records, which end at a newline outside quotes.  The
   splitter is begun anew with each file. */
size_t split_csv(struct reader *r, struct csv_splitter *csv,
                 struct view *record, size_t n);

/* Where in the buffer the last whole record ends, its delimiter included, or
   start if none does.  What is behind it counts as scanned. */
size_t split_end(struct reader *r, char delimiter);
size_t split_csv_end(struct reader *r, struct csv_splitter *csv);

/* Says why the record at the start is over the reader's limit: a quote of a CSV
   record is not closed, or the record is too long.  The splitter is
   all zero if records are not CSV. */
void split_explain_over(const struct reader *r, const struct csv_splitter *csv,
                        struct fault *why);

#endif
