/*
 * pocket.h - the pocket filter's state, shared by its code paths
 *
 * algo/pocket.c explains the filter; doc/pocket.md draws it.
 */
#ifndef FR_POCKET_H
#define FR_POCKET_H

#include "algo.h"
#include "parts/bits.h"

enum {
    FR_POCKET_LEVELS = 12, /* widths a line can have, at most */
    FR_POCKET_SPAN = 8,    /* generations in a window */
    FR_LINE_WORDS = 8,     /* 64-bit words in a line */
    FR_PLAIN_STACK = 496,  /* bits for the stack where there is no window */
    FR_FIRST_WIDTH = 64    /* bits of a fingerprint in a line that has room */
};

/* The changing scalars of a filter, or of one of its parts. */
struct fr_pocket_live {
    uint64_t pushed;     /* fingerprints ever stored */
    uint64_t taken;      /* of them, removed by forget() */
    uint64_t forgotten;  /* pushed out while still inside the window */
    uint64_t generation; /* current; lines store its low 16 bits */
    uint64_t epoch;      /* the generation of the last tick */
    uint64_t within;     /* eighths of a record since this generation began */
    uint64_t hand;       /* next line of the sweep */
    uint64_t spare;
};

struct pocket {
    uint64_t lines;   /* number of lines */
    uint64_t first;   /* offset of the first line in bytes */
    uint64_t length;  /* records or ticks in a window of eight generations; 0:
                         no window */
    uint32_t group;   /* lines in a group, which has both lines of a key */
    uint32_t choices; /* lines a key may be in: 1 or 2 */
    uint32_t refresh; /* 1: a repeat becomes the newest again */
    uint32_t timed;   /* 1: generations follow tick() */
    uint32_t levels;  /* widths in use */
    uint32_t settled; /* pushes after which a line has the last width */
    uint8_t width[FR_POCKET_LEVELS]; /* in bits, decreasing */
    uint8_t slots[FR_POCKET_LEVELS]; /* slots of a line at each width */
    uint64_t unused[7];

    struct fr_pocket_live live;
};
_Static_assert(sizeof(struct pocket) == 192, "part of the format");

/* One implementation of the hot loops, within one generation.  All
   implementations write the same bytes. */
struct fr_pocket_path {
    const char *name;
    size_t (*offer)(const struct pocket *s, struct fr_pocket_live *live,
                    const freshet_hash *keys, size_t n, uint8_t *seen);
    size_t (*query)(const struct pocket *s, const struct fr_pocket_live *live,
                    const freshet_hash *keys, size_t n, uint8_t *seen);
};

extern const struct fr_pocket_path fr_pocket_portable;
extern const struct fr_pocket_path fr_pocket_sse2;
extern const struct fr_pocket_path fr_pocket_avx2;
extern const struct fr_pocket_path fr_pocket_avx512;
extern const struct fr_pocket_path fr_pocket_neon;

/* Returns the implementations that this machine can run, best first; ends with
   NULL. */
const struct fr_pocket_path *const *fr_pocket_paths(void);

/* Offers keys to the whole filter, by one of the paths. */
size_t fr_pocket_offer(const struct fr_pocket_path *path, struct pocket *s,
                       const freshet_hash *keys, size_t n, uint8_t *seen);

/* ---- Generations ------------------------------------------------------ */

/* Lines that a sweep may write: those of a part, or all. */
struct fr_pocket_range {
    uint64_t first, end;
};

/* Moves the clock to a time (pocket_generations.c). */
void fr_pocket_tick(const struct pocket *s, struct fr_pocket_live *live,
                    struct fr_pocket_range range, uint64_t now);

/* Moves the clock on by any number of records. */
void fr_pocket_pass(const struct pocket *s, struct fr_pocket_live *live,
                    struct fr_pocket_range range, uint64_t records);

/* Returns the number of records before the next generation begins. */
uint64_t fr_pocket_room(const struct pocket *s,
                        const struct fr_pocket_live *live);

/* Returns the first time of the generation after that of now. */
uint64_t fr_pocket_turn(const struct pocket *s, uint64_t now);

/* ---- Whole filters ---------------------------------------------------- */

/* Removes a key.  Returns false if it was not there. */
bool fr_pocket_forget(const struct pocket *s, struct fr_pocket_live *live,
                      freshet_hash key);

/* Implements freshet_merge(): line by line, newest first. */
void fr_pocket_merge(void *state, const void *other);

/* Implements freshet_split() and related functions: pocket_parts.c. */
extern const struct fr_split fr_pocket_split;

#endif
