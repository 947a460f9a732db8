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

struct ledger {
    bool kept; /* somebody will ask */
    bool torn; /* there was no memory for an entry */
    size_t n, size;
    struct ledger_entry *entry;
};

void ledger_free(struct ledger *l);

/* A key that a filter found new and remembers now.  Its record will have been
   written when so many bytes have, if that is known yet. */
#define LEDGER_LATER UINT64_MAX
void ledger_add(struct ledger *l, freshet *f, freshet_hash key, uint64_t end);

/* Those of which it was not known are all within so many bytes. */
void ledger_settle(struct ledger *l, uint64_t end);

/* All is written. */
void ledger_clear(struct ledger *l);

/*
 * So many bytes were written and no more will be: forget the keys behind them.
 * False: the filter cannot, or there is no record of them.
 */
bool ledger_take_back(struct ledger *l, uint64_t written);

#endif
