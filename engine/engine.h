/*
 * engine.h - records in, verdicts out
 *
 *     source -> window: split, keys, hashes -> decider -> output
 *
 * Windows of records pass through the steps of engine_steps.c: they are
 * prepared side by side, decided in order, compacted side by side and written
 * in order, so that the output does not depend on the number of threads.  The
 * engine prints nothing and knows no option.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "decider.h"
#include "extractor.h"
#include "output_mode.h"
#include "pool.h"
#include "sink.h"
#include "source.h"

enum engine_status {
    ENGINE_MORE,      /* engine_step() is to be called again */
    ENGINE_DONE,      /* the input is at its end */
    ENGINE_STOPPED,   /* the host said so, or until_repeat */
    ENGINE_INPUT,     /* trouble with this input; others may do */
    ENGINE_FAILED,    /* trouble that shall end it; all decided is written */
    ENGINE_UNDECIDED, /* the same, because the decider failed */
    ENGINE_OUTPUT     /* trouble for good: records were decided, not written */
};

/* Where records go. */
struct output {
    struct sink out;
    struct sink dup; /* repeats as well; fd is -1 if they go nowhere else */
    const struct output_mode *mode;
};

/*
 * The program around an engine.  At rest all that was read is decided and
 * written, no other thread does anything, and engine_counts() may be called:
 * the time to look at signals, to save, to fork and to wait.
 */
struct engine_host {
    bool (*wants_rest)(void *context); /* asked before each read */
    bool (*at_rest)(void *context);    /* false: read no more */
    /* Asked when the last record of an input has no delimiter.  True: the
       record may be unfinished and is left out.  NULL: it counts. */
    bool (*leaves_out_last)(void *context);
    uint64_t (*clock)(void *context); /* when records are read; NULL: 0 */
    void *context;
};

/* All of it stays the caller's, and outlives the engine. */
struct engine_config {
    const struct extractor *extractor;
    struct decider *decider;
    struct output *output;
    struct engine_host host;
    struct pool *pool; /* NULL: one thread; several engines may share one */
    unsigned threads;  /* of the pool */
    uint64_t within;   /* the filter's window of time; 0: it has none */
    uint64_t now;      /* its clock so far, where records tell the time */
    bool until_repeat; /* the first repeat answers everything */
};

struct engine;

/* Returns NULL and why if there is no memory. */
struct engine *engine_create(const struct engine_config *config, size_t window,
                             struct fault *why);

/* Accepts NULL. */
void engine_free(struct engine *e);

/* All of an input.  The fault is set where there was trouble; it is empty where
   the reader of the output is gone and a signal said so. */
enum engine_status engine_run(struct engine *e, struct source *in,
                              struct fault *why);

/* The same in steps: an input begins; then one read at a time. */
void engine_begin(struct engine *e, struct source *in);
enum engine_status engine_step(struct engine *e, struct fault *why);

/* At rest. */
const struct engine_counts *engine_counts(const struct engine *e);
const struct engine_config *engine_config(const struct engine *e);

/* Returns the number of threads that were used. */
unsigned engine_threads(const struct engine *e);

/* After ENGINE_OUTPUT: the decider forgets what was not written.  Returns false
   if it cannot. */
bool engine_undo_unwritten(struct engine *e);

#endif
