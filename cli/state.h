/*
 * state.h - a filter that outlives the run: --state
 *
 * What was not written is not remembered: whoever calls state_save() or
 * state_checkpoint() has written and synced all that the filter decided.
 */
#ifndef STATE_H
#define STATE_H

#include <sys/types.h>

#include "aim.h"
#include "snapshot.h"

struct state {
    const char *path; /* NULL: there is none */
    bool read_only;
    int lock; /* -1: not ours */
    struct snapshot snapshot;
    pid_t child; /* writes a checkpoint; 0: none */
};

/*
 * Lock and load.  The filter is in snapshot, or NULL if there was no file.
 * Options that contradict it are refused.  CLI_GO, or the status to exit with.
 */
int state_open(struct state *s, const struct aim_args *args);
void state_close(struct state *s);

/* The aim of a filter that was loaded. */
void state_aim(const struct state *s, struct aim *aim);

/* CLI_OK or CLI_TROUBLE. */
int state_save(struct state *s, const freshet *f);

/* The same by a child, while the stream goes on; not while one is at it. */
int state_checkpoint(struct state *s, const freshet *f);

/* How the child fared, if it has ended; wait: not before it has. */
int state_reap(struct state *s, bool wait);

#endif
