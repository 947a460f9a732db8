/*
 * partition.h - a partition of this process: its filter, offsets and state
 *
 * All messages that were produced must have arrived before a partition is
 * saved, so that no file remembers a message that was not acknowledged.
 */
#ifndef PARTITION_H
#define PARTITION_H

#include "kafka_internal.h"
#include "state.h"
#include "tail.h"

struct offsets {
    int64_t next;         /* offset of the next message of the input */
    int64_t end[OUTPUTS]; /* ends of the outputs: our messages are before them;
                             -1: not known */
};

struct partition {
    struct kafka *k;
    int32_t number;
    struct kafka_figures *figures;
    struct state state; /* path NULL: there is no state file */
    char *path;
    size_t notes;            /* bytes of the notes that never change */
    freshet *filter;         /* NULL: a shared one decides */
    struct decider *decider; /* of the filter, or the shared one */
    uint64_t now;            /* the clock of the filter */

    struct offsets offsets;
    struct arrivals arrivals[OUTPUTS];
    struct tail tail[OUTPUTS];
    int64_t saved;       /* next, as in the file or as taken over */
    bool is_saving;      /* a checkpoint is in progress, up to: */
    struct offsets kept; /* what a checkpoint has saved */
    bool is_kept;        /* and it is to be committed */
};

/*
 * Loads or rebuilds the filter, and finds the offsets to continue from.
 * committed holds the offsets that the group committed; its next is -1 if there
 * are none.  Returns NULL
 * and sets *why if that fails.
 */
struct partition *partition_open(struct kafka *k, int32_t number,
                                 const struct offsets *committed,
                                 struct fault *why);

/* Does not save. */
void partition_close(struct partition *p);

/* ---- partition_load.c -------------------------------------------------- */

/* Loads the state file, and sets *saved to its offsets; saved->next stays -1 if
   there is no file. */
bool partition_load(struct partition *p, struct offsets *saved,
                    struct fault *why);

/* ---- partition_output.c ------------------------------------------------ */

/* Remembers the messages of the output from one offset up to another. */
bool partition_read_output(struct partition *p, int64_t from, int64_t to,
                           struct fault *why);

/*
 * Reads the tail of an output.  Messages without times of their own cannot be
 * decided as they were: their keys are remembered, at the time of reading.
 */
bool partition_read_tail(struct partition *p, int output, int64_t from,
                         int64_t to, struct fault *why);

/* Returns the offset from which the output can matter to the filter. */
int64_t partition_rebuild_from(struct partition *p, int64_t low, int64_t high);

/* ---- partition.c ------------------------------------------------------- */

/* Decides messages and sends them on.  Returns false and sets *why if the run
   must end; if the producer failed, its own `why` is set instead. */
bool partition_decide(struct partition *p, rd_kafka_message_t **messages,
                      size_t n, struct fault *why);

/* Remembers the keys that are left in the tail of the output. */
bool partition_remember_tail(struct partition *p, struct fault *why);

/* To be called at the end of the input, with its offset. */
bool partition_at_end(struct partition *p, int64_t offset, struct fault *why);

/* ---- partition_save.c -------------------------------------------------- */

/* Saves the state.  All messages must have arrived. */
bool partition_save(struct partition *p, struct fault *why);

/* Begins to save, if there is something new.  All messages must have
   arrived. */
bool partition_checkpoint(struct partition *p, struct fault *why);

/* Sets is_kept if the checkpoint is done, and waits for it if `wait` is
   true. */
bool partition_reap(struct partition *p, bool wait, struct fault *why);

#endif
