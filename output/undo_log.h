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

/* A key was decided so.  Its record will have been written when so many bytes
   have. */
void undo_log_add(struct undo_log *l, freshet_hash key, unsigned verdict,
                  uint64_t end);

/* All is written. */
void undo_log_clear(struct undo_log *l);

/* Undoes the newest decision that is not undone yet; false if it cannot. */
typedef bool undo_log_undo(void *context, freshet_hash key, unsigned verdict);

/*
 * So many bytes were written and no more will be: undo the decisions behind
 * them.  Returns false if that cannot be done, or if they are not known.
 */
bool undo_log_roll_back(struct undo_log *l, uint64_t written,
                        undo_log_undo *undo, void *context);

#endif
