/*
 * state.h - a filter that is kept in a file between runs: --state
 *
 * A record that was not written must not be remembered: before it calls
 * state_save() or state_checkpoint(), the caller writes and syncs all records
 * that the filter has decided.  Functions that return false set *why to a
 * reason that begins with the path.
 */
#ifndef STATE_H
#define STATE_H

#include <sys/types.h>

#include "fault.h"
#include "goal.h"
#include "snapshot.h"

struct state {
    const char *path; /* as the user wrote it; NULL: there is no state */
    bool read_only;
    char *file; /* the path with links resolved; NULL before it is locked */
    int lock;   /* -1: not locked */
    struct snapshot snapshot;
    struct key_note notes;       /* on the keys of this run */
    struct snapshot_parts parts; /* to be saved; set by state_hold() */
    pid_t child;                 /* writes a checkpoint; 0: there is none */
    int report;                  /* pipe through which the child reports */
};

/*
 * Locks the file and loads the filter into snapshot, where it is NULL if there
 * is no file.  Options that contradict the filter are refused; `filters`
 * filters share the memory that the options ask for.
 */
bool state_open(struct state *s, const struct goal_args *args, unsigned filters,
                struct fault *why);
void state_close(struct state *s);

/* Returns whether saving will separate the file from other names that it has
   by hard links. */
bool state_has_other_names(const struct state *s);

/* Sets *goal to the goal of the filter that was loaded. */
void state_goal(const struct state *s, struct goal *goal);

/* Refuses a file that was saved with other keys than those of this run. */
bool state_check_notes(const struct state *s, struct fault *why);

/*
 * Sets *now to the clock of the filter that was loaded, or to 0.  Refuses a
 * clock after the latest time: no repeat would pass until then.
 */
bool state_clock(const struct state *s, uint64_t latest, uint64_t *now,
                 struct fault *why);

/* Names the filters to save.  If repeated is NULL, the second filter is saved
   as it was loaded. */
void state_hold(struct state *s, const freshet *filter,
                const freshet *repeated);

/* Saves the filters; no checkpoint may be in progress. */
bool state_save(const struct state *s, struct fault *why);

/* Saves the filters in a child process, while the stream continues.  Does
   nothing while an earlier checkpoint is in progress. */
bool state_checkpoint(struct state *s, struct fault *why);

/* Collects the result of a checkpoint.  Returns true if there is none or it is
   still in progress.  With wait, it waits for the end. */
bool state_reap(struct state *s, bool wait, struct fault *why);

#endif
