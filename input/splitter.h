/*
 * splitter.h - splits the bytes of a chunk into records
 */
#ifndef SPLITTER_H
#define SPLITTER_H

#include "csv_text.h"
#include "source.h"

/*
 * Splits the unread bytes into whole records, as many as the chunk has room
 * for.  It stops at a record that is incomplete or longer than the framing
 * allows.  Views exclude the delimiter, but one always follows: the last record
 * of an input gets one if it has none.
 */
void split_records(struct chunk *c, const struct framing *framing);

/*
 * The same for CSV.  The splitter has read `scanned` of the unread bytes, which
 * are the beginning of a record; it must be initialised for each input.
 * Returns how many of the remaining bytes it has read.
 */
size_t split_csv(struct chunk *c, const struct framing *framing,
                 struct csv_splitter *csv, size_t scanned);

#endif
