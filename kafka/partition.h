/*
 * partition.h - a partition that is ours: its filter, its place, its state
 *
 * Messages that are not acknowledged are not remembered by any file: all that
 * was produced must have arrived before a partition is saved.
 */
#ifndef PARTITION_H
#define PARTITION_H

#include "kafka_internal.h"
#include "state.h"
#include "tail.h"

struct place {
    int64_t next;         /* offset of the next message of the input */
    int64_t end[OUTPUTS]; /* of the outputs: all that is ours is before it; -1:
                             not known */
};

struct partition {
    struct kafka *k;
    int32_t number;
    struct kafka_figures *figures;
    struct state state; /* path NULL: none is kept */
    char *path;
    size_t notes;            /* bytes of the notes that never change */
    freshet *filter;         /* NULL: a shared one decides */
    struct decider *decider; /* of the filter, or the shared one */
    uint64_t now;            /* the clock of the filter */

    struct place place;
    struct arrivals arrivals[OUTPUTS];
    struct tail tail[OUTPUTS];
    int64_t saved;     /* next, as in the file or as taken over */
    bool is_saving;    /* a checkpoint is in progress, up to: */
    struct place kept; /* what a checkpoint has saved */
    bool is_kept;      /* and it is to be committed */
};

/*
 * Load or rebuild the filter, and find where to go on.  committed is the place
 * that the group committed, its next being -1 if there is none.  Returns NULL
 * and why if that fails.
 */
struct partition *partition_open(struct kafka *k, int32_t number,
                                 const struct place *committed,
                                 struct fault *why);

/* Does not save. */
void partition_close(struct partition *p);

/* ---- partition_load.c -------------------------------------------------- */

/* Load the state file.  Sets the place that it has; its next stays -1 if there
   is no file. */
bool partition_load(struct partition *p, struct place *saved,
                    struct fault *why);

/* ---- partition_output.c ------------------------------------------------ */

/* Remember what the output has from one offset up to another. */
bool partition_read_known(struct partition *p, int64_t from, int64_t to,
                          struct fault *why);

/*
 * Read the tail of an output.  Messages without times of their own cannot be
 * decided as they were: their keys are remembered, at the time of reading.
 */
bool partition_read_tail(struct partition *p, int output, int64_t from,
                         int64_t to, struct fault *why);

/* Returns the offset from which the output can matter to the filter. */
int64_t partition_rebuild_from(struct partition *p, int64_t low, int64_t high);

/* ---- partition.c ------------------------------------------------------- */

/* Decide messages and send them on.  Returns false and why if the run must end;
   if the producer failed, it says why. */
bool partition_take(struct partition *p, rd_kafka_message_t **messages,
                    size_t n, struct fault *why);

/* Remember the keys that are left in the tail of the output. */
bool partition_remember_tail(struct partition *p, struct fault *why);

/* The input's end was met at an offset. */
bool partition_at_end(struct partition *p, int64_t offset, struct fault *why);

/* ---- partition_save.c -------------------------------------------------- */

/* All has arrived: save now. */
bool partition_save(struct partition *p, struct fault *why);

/* All has arrived: begin to save, if there is something new. */
bool partition_checkpoint(struct partition *p, struct fault *why);

/* Look whether the checkpoint is done; is_kept is set then. */
bool partition_reap(struct partition *p, bool wait, struct fault *why);

#endif
