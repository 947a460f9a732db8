/*
 * undo_log.h - keys that were decided, but whose records are not written yet
 *
 * What was not written is not remembered: when writing fails, the keys of what
 * is still in the buffers are taken back.
 */
#ifndef UNDO_LOG_H
#define UNDO_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

struct undo_log {
    bool kept; /* somebody will ask */
    bool torn; /* there was no memory for an entry */
    size_t n, size;
    struct undo_log_entry *entry;
};

void undo_log_free(struct undo_log *l);

/* A key that a filter found new and remembers now.  Its record will have been
   written when so many bytes have, if that is known yet. */
#define UNDO_LOG_LATER UINT64_MAX
void undo_log_add(struct undo_log *l, freshet *f, freshet_hash key,
                  uint64_t end);

/* Those of which it was not known are all within so many bytes. */
void undo_log_settle(struct undo_log *l, uint64_t end);

/* All is written. */
void undo_log_clear(struct undo_log *l);

/*
 * So many bytes were written and no more will be: forget the keys behind them.
 * False: the filter cannot, or there is no record of them.
 */
bool undo_log_take_back(struct undo_log *l, uint64_t written);

#endif
