/*
 * engine_internal.h - what the files of the engine share
 */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include <stdatomic.h>

#include "engine.h"
#include "flow.h"
#include "window.h"

enum engine_step_number {
    STEP_PREPARE, /* load, split, take keys and hash them */
    STEP_ORDER,   /* in order: number the records, set the clock, submit */
    STEP_DECIDE,  /* in order: collect the verdicts */
    STEP_COMPACT, /* put together what is to be written */
    STEP_WRITE    /* in order: write, count, and say what was wrong */
};

/* A window, and what a thread needs to prepare it. */
struct slot {
    struct window window;
    struct extractor extractor;   /* a clone; key is NULL if there is none */
    unsigned version;             /* of the engine's extractor */
    const struct extractor *used; /* by which the window was prepared */
    bool is_ready;                /* the window has memory */
};

/* The header of inputs. */
struct engine_header {
    bool is_due;   /* the next record is one */
    bool was_seen; /* one was shown */
    freshet_hash hash;
    struct extractor found; /* for the columns it names; key is NULL if the
                               config's extractor will do */
};

struct engine {
    struct engine_config config;
    struct flow *flow;
    size_t window_bytes, window_records; /* room of a window */
    struct slot *slot;
    size_t slots, ready_slots;
    unsigned threads; /* in use; 0: not started yet */

    struct source *in;
    const struct extractor *extractor; /* for this input */
    unsigned version;                  /* of it */
    struct engine_header header;

    /* STEP_ORDER's own */
    uint64_t records; /* of this input */
    uint64_t now;
    atomic_bool is_closed;  /* at a window with trouble: no more is decided */
    atomic_bool is_partial; /* at a window that has more records than room */

    /* STEP_WRITE's own */
    enum engine_status status;
    struct fault why;
    struct engine_counts counts;
    uint64_t window_start; /* bytes written before the window */
};

/* The steps of a flow, for the engine's decider. */
void engine_steps(const struct engine *e, struct flow_step steps[FLOW_STEPS]);

/* All is decided that can be: the filter is made whole. */
void engine_rest_decider(struct engine *e);

/* Step 0 up to where a header would be taken. */
bool engine_load(struct engine *e, struct window *w);

#endif
