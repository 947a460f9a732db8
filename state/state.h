/*
 * state.h - a filter that outlives the run: --state
 *
 * What was not written is not remembered: whoever calls state_save() or
 * state_checkpoint() has written and synced all that the filter decided.
 */
#ifndef STATE_H
#define STATE_H

#include <sys/types.h>

#include "fault.h"
#include "goal.h"
#include "snapshot.h"

struct state {
    const char *path; /* NULL: there is none */
    bool read_only;
    int lock; /* -1: not ours */
    struct snapshot snapshot;
    struct key_note notes;       /* on this run */
    struct snapshot_parts parts; /* to be saved, once state_hold() was told */
    pid_t child;                 /* writes a checkpoint; 0: none */
};

/*
 * Lock and load.  The filter is in snapshot, or NULL if there was no file.
 * Options that contradict it are refused; so many filters share the memory that
 * they ask for.  CLI_GO, or the status to exit with.
 */
int state_open(struct state *s, const struct goal_args *args, unsigned filters);
void state_close(struct state *s);

/* The aim of a filter that was loaded. */
void state_aim(const struct state *s, struct goal *aim);

/* Keys taken otherwise than noted in the file are refused.  As above. */
int state_check_notes(const struct state *s);

/*
 * Set *now to the clock of the filter that was loaded, or to 0.  Returns false,
 * with the reason in why, if the clock is after the latest time: no repeat
 * would pass until then.
 */
bool state_clock(const struct state *s, uint64_t latest, uint64_t *now,
                 struct fault *why);

/* These are the filters to save; repeated may be NULL, and is then as it was
   loaded. */
void state_hold(struct state *s, const freshet *filter,
                const freshet *repeated);

/* CLI_OK or CLI_TROUBLE. */
int state_save(struct state *s);

/* The same by a child, while the stream goes on; not while one is at it. */
int state_checkpoint(struct state *s);

/* How the child fared, if it has ended; wait: not before it has. */
int state_reap(struct state *s, bool wait);

#endif
