/*
 * ledger.h - keys that were decided, but whose records are not written yet
 *
 * What was not written is not remembered: when writing fails, the keys of what
 * is still in the buffers are taken back.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

struct ledger {
    bool kept; /* somebody will ask */
    bool torn; /* there was no memory for an entry */
    size_t n, size;
    size_t put; /* of them, those whose records were put, if not written */
    struct ledger_entry *entry;
};

void ledger_free(struct ledger *l);

/* A key that a filter found new and remembers now. */
void ledger_add(struct ledger *l, freshet *f, freshet_hash key);

/* All so far were put, up to this byte of the output. */
void ledger_put(struct ledger *l, uint64_t end);

/* All is written. */
void ledger_clear(struct ledger *l);

/*
 * So many bytes were written and no more will be: forget the keys behind them.
 * False: the filter cannot, or there is no record of them.
 */
bool ledger_take_back(struct ledger *l, uint64_t written);

#endif
