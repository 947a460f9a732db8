/*
 * window.h - records in progress: a chunk of the input, keys and verdicts
 *
 * These functions change only the window, so that several threads may work on
 * different windows.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "decider.h"
#include "extractor.h"
#include "output_block.h"

/* What is wrong with a window; the records before it are in order. */
enum window_trouble {
    WINDOW_FINE,
    WINDOW_MALFORMED, /* a malformed record at which the run ends */
    WINDOW_TOO_LONG,  /* a record that is too long */
    WINDOW_UNREAD,    /* claimed bytes could not be read */
    WINDOW_UNDECIDED, /* the decider failed: no record has a verdict */
    WINDOW_NO_MEMORY  /* no memory for a key */
};

/* The keys of the records that have one. */
struct window_keys {
    struct decision decision; /* its arrays for parts are kept */
    freshet_hash *hash;
    uint64_t *time;   /* if records have times */
    uint8_t *verdict; /* if some records have no key */
    uint32_t *record; /* index of the record each key came from */
};

struct window {
    struct chunk chunk;
    bool is_split;     /* n is known */
    bool has_more;     /* more records than room, see below */
    size_t n;          /* number of records, without those from a trouble on */
    size_t first_data; /* index of the first record that is not a header */
    uint8_t *verdict;  /* one for each record */
    struct window_keys keys;
    struct key_scratch scratch, time_scratch;

    enum window_trouble trouble;
    const char *words; /* what is wrong with the malformed record */
    struct fault why;  /* the reason, if unread or undecided */

    uint64_t now;          /* time when it was claimed; 0: no clock */
    uint64_t first_record; /* number of records of the input before these */
    struct output_block out, dup;
    bool is_lost;                /* there was no memory for the output */
    struct engine_counts counts; /* counts of its verdicts */
};

/*
 * Allocates room for size bytes of input, and this many records at a time.
 * Returns false if there is no memory; to be freed in any case.  timed: records
 * have times; parted: the decider has parts.
 */
bool window_init(struct window *w, size_t size, size_t records, bool timed,
                 bool parted);
void window_free(struct window *w);

/* Begins with a claimed chunk. */
void window_begin(struct window *w);

/*
 * Splits the loaded chunk.  A chunk of very short records has more of them than
 * the window has room for; it is split again when those are written.
 */
void window_split(struct window *w, const struct framing *framing);

/*
 * Hashes the records' keys, and sets verdicts on records without a key.  The
 * window ends at a malformed record if the run is to end there.
 */
void window_extract(struct window *w, const struct extractor *x,
                    const freshet_hasher *hasher);

/*
 * Advances the clock by the times of the keys.  The clock is the latest time of
 * any record.  A record with an earlier time is compared at the clock's time;
 * one that is older than the time `within` is counted as late.
 */
void window_advance_clock(struct window *w, uint64_t *now, uint64_t within);

/* Returns the index of the record that a key came from. */
size_t window_record_of(const struct window *w, size_t key);

/* Copies the keys' verdicts to their records, and counts all verdicts. */
void window_set_verdicts(struct window *w);

/* Drops the records without verdicts and sets the trouble. */
void window_fail(struct window *w, enum window_trouble trouble);

#endif
