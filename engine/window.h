/*
 * window.h - records on their way: a chunk of the input, keys and verdicts
 *
 * What is done here changes nothing but the window, so that several threads
 * may each work on one.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "decider.h"
#include "extractor.h"
#include "output_block.h"

/* What is wrong with a window; its records before that are in order. */
enum window_trouble {
    WINDOW_FINE,
    WINDOW_MALFORMED, /* a record at which the run is to end */
    WINDOW_TOO_LONG,  /* a record */
    WINDOW_UNREAD,    /* bytes that were claimed could not be read */
    WINDOW_UNDECIDED, /* the decider failed: no record has a verdict */
    WINDOW_NO_MEMORY  /* for a key */
};

/* The keys of the records that have one. */
struct window_keys {
    struct decision decision; /* its arrays for parts stay there */
    freshet_hash *hash;
    uint64_t *time;   /* if records say */
    uint8_t *verdict; /* where some records have no key */
    uint32_t *record; /* index of the record each key came from */
};

struct window {
    struct chunk chunk;
    bool is_split;     /* n is known */
    bool has_more;     /* than the records it has room for: see below */
    size_t n;          /* records, without those at and after a trouble */
    size_t first_data; /* index of the first record that is no header */
    uint8_t *verdict;  /* of each record */
    struct window_keys keys;
    struct key_scratch scratch, time_scratch;

    enum window_trouble trouble;
    const char *words; /* about the malformed record */
    struct fault why;  /* if unread or undecided */

    uint64_t now;          /* when it was claimed; 0: no clock */
    uint64_t first_record; /* records of the input before these */
    struct output_block out, dup;
    bool is_lost; /* there was no memory to put the output together */
    struct engine_counts counts; /* of its verdicts */
};

/* Room for size bytes of input, and this many records at a time.  Returns false
   if there is no memory; to be freed in any case.  Timed: records say when they
   were; parted: the decider has parts. */
bool window_init(struct window *w, size_t size, size_t records, bool timed,
                 bool parted);
void window_free(struct window *w);

/* A chunk was claimed for it. */
void window_begin(struct window *w);

/*
 * Split the chunk, once it is loaded.  A chunk of very short records has more
 * of them than the window has room for; when those it has are written, it is
 * split again.
 */
void window_split(struct window *w, const struct framing *framing);

/*
 * Hash the records' keys, and judge those that have none.  Where the run is to
 * end at a malformed record, so does the window.
 */
void window_extract(struct window *w, const struct extractor *x,
                    const freshet_hasher *hasher);

/* Returns the index of the record that a key came from. */
size_t window_record_of(const struct window *w, size_t key);

/* Give the keys' verdicts to their records, and count all verdicts. */
void window_take_verdicts(struct window *w);

/* Records without verdicts are not there. */
void window_give_up(struct window *w, enum window_trouble trouble);

#endif
