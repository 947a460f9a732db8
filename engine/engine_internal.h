/*
 * engine_internal.h - declarations shared by the files of the engine
 */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include <stdatomic.h>

#include "engine.h"
#include "flow.h"
#include "window.h"

enum engine_step_number {
    STEP_PREPARE, /* load, split, extract keys and hash them */
    STEP_ORDER,   /* in order: number the records, set the clock, submit */
    STEP_DECIDE,  /* in order: collect the verdicts */
    STEP_COMPACT, /* assemble the output */
    STEP_WRITE    /* in order: write, count and report */
};

/* A window, and the data of the thread that prepares it. */
struct slot {
    struct window window;
    struct extractor extractor;   /* a clone; key is NULL if there is none */
    unsigned version;             /* version of the engine's extractor that was
                                     cloned */
    const struct extractor *used; /* the one that prepared the window */
    bool is_ready;                /* the window has its memory */
};

/* The state of headers. */
struct engine_header {
    bool is_due;   /* the next record is a header */
    bool was_seen; /* a header was shown */
    freshet_hash hash;
    struct extractor found; /* for the named columns; key is NULL if the
                               config's extractor is used */
};

struct engine {
    struct engine_config config;
    struct flow *flow;
    size_t window_bytes, window_records; /* capacity of a window */
    struct slot *slot;
    size_t slots;
    unsigned threads; /* threads in use; 0: not started yet */

    struct source *in;
    const struct extractor *extractor; /* the extractor for this input */
    unsigned version;                  /* its version */
    struct engine_header header;

    /* Used only by STEP_ORDER. */
    uint64_t records; /* of this input */
    uint64_t now;
    atomic_bool is_closed;  /* after a window with trouble: nothing more is
                               decided */
    atomic_bool is_partial; /* during a window that has more records than
                               room */

    /* Used only by STEP_WRITE. */
    enum engine_status status;
    struct fault why;
    struct engine_counts counts;
    uint64_t window_start; /* bytes written before the window */
};

/* Sets the steps of a flow for the engine's decider. */
void engine_steps(const struct engine *e, struct flow_step steps[FLOW_STEPS]);

/* Makes the filter complete, when everything is decided. */
void engine_rest_decider(struct engine *e);

/* Returns the number of lanes of STEP_DECIDE: the decider's parts. */
unsigned engine_lanes(const struct engine *e);

/* Performs STEP_DECIDE for the window of a slot. */
void engine_decide(void *context, void *item, unsigned lane);

/* Collects the verdicts of a decider of parts, and counts all verdicts. */
void engine_collect_verdicts(struct engine *e, struct window *w);

/* Sets e->why to the trouble of a window. */
void engine_explain(struct engine *e, const struct window *w);

/* Returns the status with which a run ends at such a window. */
enum engine_status engine_status_of(enum window_trouble trouble);

/* Performs step 0 up to the header. */
bool engine_load(struct engine *e, struct window *w);

#endif
