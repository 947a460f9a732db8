/*
 * cold_batch.h - large batches for a filter whose pages are untouched
 *
 * The kernel makes a page when it is touched for the first time.  That takes
 * microseconds, in a virtual machine sometimes a tenth of a millisecond, and a
 * batch touches a page for each of its keys.  A thread has the pages made
 * before the command runs.  Its client waits, the others do not: the command
 * itself, all of it, runs in the server's thread afterwards, as any other.
 */
#ifndef COLD_BATCH_H
#define COLD_BATCH_H

#include "server_command.h"

enum { COLD_BATCH_SAMPLE = 16 }; /* keys whose pages tell whether it is cold */

struct cold_batch;

/* Returns false if a batch of n keys need not wait: it is small, or the filter
   is not young. */
bool cold_batch_may_wait(const struct place *p, size_t n);

/*
 * Begins a batch of n keys that may wait.  Returns NULL if the command is to
 * run at once: the pages of its first COLD_BATCH_SAMPLE keys are there, its
 * client cannot wait (scripts, transactions, replication), or it has waited.
 */
struct cold_batch *cold_batch_begin(const struct place *p, size_t n,
                                    const freshet_hash *first);

/* Adds keys of the batch, n in all. */
void cold_batch_add(struct cold_batch *b, const freshet_hash *keys, size_t n);

/* Has the client wait and the pages made; then the command runs again.  The
   caller answers nothing, closes the key and returns. */
void cold_batch_wait(struct cold_batch *b, rm_run *again);

/*
 * To be called before a command does anything that cold_batch_wait() runs
 * again.  Returns true, after answering with an error, if the server has begun
 * to hold writes back meanwhile (CLIENT PAUSE, FAILOVER), or if the key of a
 * cluster is gone: the server does not look again whether the slot is still its
 * own.
 */
bool cold_batch_refused(rm_ctx *ctx, rm_string *key);

#endif
