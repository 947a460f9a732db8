/*
 * output_mode.h - what of a batch is written
 */
#ifndef OUTPUT_MODE_H
#define OUTPUT_MODE_H

#include "engine.h"

/* Note in the ledger what the filter learned of a batch, and when that will
   have been written: before it is shown. */
void show_note(struct pipeline *p, const struct batch *b);

/* Put what p->show wants of a decided batch.  -1 and errno. */
int show(struct pipeline *p, struct batch *b);

/* Put its repeats, or else what is new or passed; headers in either case. */
int show_kind(struct sink *s, const struct batch *b, bool repeats);

#endif
