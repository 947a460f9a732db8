/*
 * splitter.h - the bytes of a chunk into records
 */
#ifndef SPLITTER_H
#define SPLITTER_H

#include "csv_text.h"
#include "source.h"

/*
 * Splits what is unread into whole records, as many as the chunk has room for.
 * It stops at a record that is not whole, or longer than the framing allows.  A
 * view leaves the delimiter out, but there always is one behind it: the last
 * record of an input gets one if it has none.
 */
void split_records(struct chunk *c, const struct framing *framing);

/*
 * The same for CSV.  The splitter has seen `scanned` of the unread bytes, which
 * are the beginning of a record; it is begun anew with each input.  Returns how
 * many of the bytes that are left it has seen.
 */
size_t split_csv(struct chunk *c, const struct framing *framing,
                 struct csv_splitter *csv, size_t scanned);

#endif
