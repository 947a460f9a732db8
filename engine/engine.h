/*
 * engine.h - reads records, decides them and writes those that are shown
 *
 *     source -> window: split, keys, hashes -> decider -> output
 *
 * Windows of records pass through the steps of engine_steps.c: they are
 * prepared in parallel, decided in order, compacted in parallel and written in
 * order, so that the output does not depend on the number of threads.  The
 * engine prints no messages and knows no options.
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
    ENGINE_MORE,      /* call engine_step() again */
    ENGINE_DONE,      /* end of the input */
    ENGINE_STOPPED,   /* the host stopped it, or until_repeat */
    ENGINE_INPUT,     /* this input failed; others may be read */
    ENGINE_FAILED,    /* the run must end; all decided records are written */
    ENGINE_UNDECIDED, /* the same, because the decider failed */
    ENGINE_OUTPUT     /* the run must end; some decided records are not
                         written */
};

/* Where records go. */
struct output {
    struct sink out;
    struct sink dup; /* for repeats; fd is -1 if there is none */
    const struct output_mode *mode;
};

/*
 * The program around an engine.  At rest everything that was read is decided
 * and written, no other thread is active, and engine_counts() may be called.
 * Then the host may handle signals, save, fork and wait.
 */
struct engine_host {
    bool (*wants_rest)(void *context); /* called before each read; true: call
                                          at_rest() */
    bool (*at_rest)(void *context);    /* false: stop reading */
    /* Called if the last record of an input has no delimiter.  True: the record
       may be incomplete and is left out.  NULL: it counts. */
    bool (*leaves_out_last)(void *context);
    uint64_t (*clock)(void *context); /* the time of records that are read now;
                                         NULL: 0 */
    void *context;
};

/* Everything here belongs to the caller and must outlive the engine. */
struct engine_config {
    const struct extractor *extractor;
    struct decider *decider;
    struct output *output;
    struct engine_host host;
    struct pool *pool; /* NULL: one thread; several engines may share a pool */
    unsigned threads;  /* threads of the pool */
    uint64_t within;   /* the filter's window of time; 0: none */
    uint64_t now;      /* its clock at the start, if records have times */
    bool until_repeat; /* stop at the first repeat */
};

struct engine;

/* Returns NULL and sets *why if there is no memory. */
struct engine *engine_create(const struct engine_config *config, size_t window,
                             struct fault *why);

/* Accepts NULL. */
void engine_free(struct engine *e);

/* Processes an input completely.  *why is set on failure; it stays empty if the
   reader of the output has gone and SIGPIPE has been received. */
enum engine_status engine_run(struct engine *e, struct source *in,
                              struct fault *why);

/* The same in steps: engine_begin() an input, then one read at a time. */
void engine_begin(struct engine *e, struct source *in);
enum engine_status engine_step(struct engine *e, struct fault *why);

/* To be called at rest. */
const struct engine_counts *engine_counts(const struct engine *e);
const struct engine_config *engine_config(const struct engine *e);

/* Returns the number of threads that were used. */
unsigned engine_threads(const struct engine *e);

/* To be called after ENGINE_OUTPUT: makes the decider forget the records that
   were not written.  Returns false if that is impossible. */
bool engine_undo_unwritten(struct engine *e);

#endif
