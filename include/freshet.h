/*
 * freshet.h - bounded-memory stream deduplication
 *
 * A filter answers one question about a stream: "have I seen this key before?"
 * It answers in constant time, in memory that is fixed when the filter is made,
 * however long the stream is.  The price is a small, stated chance of being
 * wrong.
 *
 *     freshet_options opt = {.size = sizeof opt, .memory = 64 << 20};
 *     freshet *f;
 *
 *     if (freshet_create(&f, &opt, NULL) < 0)
 *         return -1;
 *     while (next_record(&key, &len))
 *         if (freshet_offer(f, key, len) == FRESHET_NEW)
 *             emit(key, len);
 *     freshet_free(f);
 *
 * It can be wrong in two ways.  A false drop is a new key called a repeat: a
 * record is lost.  A false pass is a repeat called new: it is kept twice.
 *
 * Functions that make, attach, split or merge filters can fail, and so can
 * those that not every algorithm has.  Offering keys allocates nothing and
 * cannot fail.
 *
 * Threads: the library keeps no global state.  Two threads may use two filters
 * freely.  One filter needs one writer at a time; functions that take a const
 * filter may run at the same time if there is no writer.  A filter that is
 * split has one writer for each of its parts: see "One filter, many threads".
 */
#ifndef FRESHET_H
#define FRESHET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#    define FRESHET_API      __attribute__((visibility("default")))
#    define FRESHET_FALLIBLE FRESHET_API __attribute__((warn_unused_result))
#else
#    define FRESHET_API
#    define FRESHET_FALLIBLE
#endif

/* Returns the version of the library at run time, such as "0.2.0". */
FRESHET_API const char *freshet_version(void);

/* ---- Status ----------------------------------------------------------- */

/* These numbers are part of the ABI: append, never renumber. */
#define FRESHET_STATUS_MAP(X)                                                  \
    X(OK, 0, "success")                                                        \
    X(ERR_ARGUMENT, -1, "invalid argument")                                    \
    X(ERR_ALGORITHM, -2, "no such algorithm")                                  \
    X(ERR_PARAMETER, -3, "no such parameter")                                  \
    X(ERR_RANGE, -4, "value out of range")                                     \
    X(ERR_BUDGET, -5, "memory budget too small for the request")               \
    X(ERR_MEMORY, -6, "out of memory")                                         \
    X(ERR_ALIGNMENT, -7, "block is not 64-byte aligned")                       \
    X(ERR_FOREIGN, -8, "not a freshet block")                                  \
    X(ERR_DAMAGED, -9, "damaged or truncated block")                           \
    X(ERR_VERSION, -10, "block written by a newer freshet")                    \
    X(ERR_UNSUPPORTED, -11, "not supported by this algorithm")                 \
    X(ERR_MISMATCH, -12, "filters were made with different options")           \
    X(ERR_RANDOM, -13, "the system gave no random seed")                       \
    X(ERR_HASH, -14, "no such hash")

typedef enum freshet_status {
#define X(name, number, text) FRESHET_##name = number,
    FRESHET_STATUS_MAP(X)
#undef X
} freshet_status;

/* Returns the fixed text of a status, or "unknown status". */
FRESHET_API const char *freshet_status_text(int status);

/* Receives the reason of a failure.  The caller owns it; it may be NULL. */
typedef struct freshet_error {
    int status;
    char message[252]; /* one line, no newline, always terminated */
} freshet_error;

/* ---- Making a filter -------------------------------------------------- */

typedef struct freshet freshet;

/* What the planner optimises when no algorithm is named. */
enum {
    FRESHET_GOAL_FALSE_DROPS = 0, /* stay within false_drop_rate */
    FRESHET_GOAL_FEWEST = 1       /* fewest false drops and passes together */
};

/* A share of a stream's repeats, and their distance from the last record with
   the same key. */
typedef struct freshet_gap {
    uint64_t gap;  /* new keys between the two */
    uint64_t span; /* records between them; 0: the same as gap */
    double share;  /* their share of all repeats, in any unit */
} freshet_gap;

/*
 * Only size must be set; every other field may be zero, which means its
 * default.  Fields are only appended, so old callers work with new libraries.
 * A new caller that sets a field that an old library lacks gets an error.
 */
typedef struct freshet_options {
    size_t size;             /* sizeof(freshet_options) */
    const char *algorithm;   /* its name; NULL or "auto": chosen for you */
    const char *params;      /* parameters of the algorithm: "k=4,bits=2" */
    uint64_t memory;         /* hard limit of the block in bytes; 256 MiB */
    double false_drop_rate;  /* wanted, at least 2^-60 and below 1; 1e-6 */
    uint64_t expect;         /* distinct keys in the whole stream; 0: unknown */
    uint64_t window;         /* length of the window in records; 0: as fits */
    uint64_t within;         /* length of the window in ticks; 0: no limit */
    uint64_t seed;           /* equal seeds give equal verdicts; 0: random */
    uint32_t goal;           /* FRESHET_GOAL_*, for the planner */
    uint32_t reserved;       /* zero */
    const char *hash;        /* "xxh3-128" (also NULL), or "siphash" for keys
                                that attackers choose */
    uint64_t seed_high;      /* siphash: second half of its key; 0: derived from
                                seed, or random if that is 0, too */
    const freshet_gap *gaps; /* expected distances of repeats, for
                                algorithms that choose parameters by them;
                                NULL: unknown */
    uint64_t gap_count;      /* number of gaps */
} freshet_options;

/* The filter that options would make. */
typedef struct freshet_planned {
    size_t size;           /* sizeof(freshet_planned), set by the caller */
    const char *algorithm; /* the one chosen or named */
    char params[256];      /* every parameter with its value */
    uint64_t bytes;        /* size of the block, at most options.memory */
    char reason[256];      /* reason of the choice, for the user */
} freshet_planned;

/* Plans a filter without making it.  out may be NULL to check options only. */
FRESHET_FALLIBLE int freshet_plan(freshet_planned *out,
                                  const freshet_options *options,
                                  freshet_error *err);

/*
 * Makes an empty filter.  On failure *out is NULL, and err, if given, has the
 * reason as a sentence for the user.
 */
FRESHET_FALLIBLE int freshet_create(freshet **out,
                                    const freshet_options *options,
                                    freshet_error *err);

/*
 * Makes an empty filter in memory of the caller, such as a shared mapping.  The
 * block must be 64-byte aligned and zeroed, and must outlive the filter.
 * freshet_plan() returns the number of bytes that it needs.
 */
FRESHET_FALLIBLE int freshet_create_at(freshet **out, void *block, size_t bytes,
                                       const freshet_options *options,
                                       freshet_error *err);

/*
 * Uses a block written by this or another process.  The bytes may come from
 * anywhere: they are fully checked and refused if they are not valid.  No one
 * else may write to them while the filter exists.  A read-only mapping is
 * enough for the const functions.
 */
FRESHET_FALLIBLE int freshet_attach(freshet **out, void *block, size_t bytes,
                                    freshet_error *err);

/* Returns the filter's whole state: one block without pointers. */
FRESHET_API const void *freshet_block(const freshet *f, size_t *bytes);

/* Empties the filter: same options, same seed, counters at zero. */
FRESHET_API void freshet_reset(freshet *f);

/*
 * The first half of freshet_reset(), for a caller that can zero a block faster
 * than by writing to it: sets the counters to zero and returns the number of
 * bytes at the start of the block that are to stay.  The caller sets all bytes
 * behind them to zero before the filter is used again.
 */
FRESHET_API size_t freshet_reset_head(freshet *f);

/* Accepts NULL.  Does not free a caller's block. */
FRESHET_API void freshet_free(freshet *f);

/* ---- Keys ------------------------------------------------------------- */

enum {
    FRESHET_NEW = 0, /* not seen before, unless it is a false pass */
    FRESHET_SEEN = 1 /* seen before, unless it is a false drop */
};

/* The 128-bit keyed hash of a key, which is what filters work on. */
typedef struct freshet_hash {
    uint64_t lo, hi;
} freshet_hash;

/* Returns the hash of a key for this filter.  Filters with the same hash and
   key hash equally. */
FRESHET_API freshet_hash freshet_hash_key(const freshet *f, const void *key,
                                          size_t len);

/*
 * A hash and its key, which are all that hashing needs, so that a process may
 * hash keys for a filter in another process.  Two hashers with the same hash
 * and key return the same hashes.  Hashers may be copied and need not be freed.
 */
typedef struct freshet_hasher {
    size_t size;           /* sizeof(freshet_hasher), set by the caller */
    const char *hash;      /* name of the hash; NULL: "xxh3-128" */
    uint64_t key[2];       /* the filter's seed, and seed_high for siphash or 0
                              for xxh3-128; both 0: random */
    uint64_t prepared[24]; /* for the library only */
} freshet_hasher;

/* Prepares a hasher from the hash and the key in the struct. */
FRESHET_FALLIBLE int freshet_hasher_init(freshet_hasher *hasher,
                                         freshet_error *err);

/* Copies the hasher of a filter.  The copy may outlive the filter. */
FRESHET_API void freshet_hasher_of(const freshet *f, freshet_hasher *out);

/* Returns the hash of a key.  The hasher must come from one of the two
   functions above. */
FRESHET_API freshet_hash freshet_hash_with(const freshet_hasher *hasher,
                                           const void *key, size_t len);

/* Returns the verdict on a key and remembers the key. */
FRESHET_API int freshet_offer(freshet *f, const void *key, size_t len);

/* Returns the verdict on a key.  The filter does not change. */
FRESHET_API int freshet_query(const freshet *f, const void *key, size_t len);

/* Remembers a key: the filter changes as if the key had been offered. */
FRESHET_API void freshet_remember(freshet *f, const void *key, size_t len);

/*
 * The same for n keys that are already hashed, in order; seen[i] receives the
 * verdict on keys[i].  Returns the number of new keys.  This is the fast path;
 * a few hundred keys are a good batch.  Verdicts do not depend on the batch
 * size.
 */
FRESHET_API size_t freshet_offer_batch(freshet *f, const freshet_hash *keys,
                                       size_t n, uint8_t *seen);
FRESHET_API size_t freshet_query_batch(const freshet *f,
                                       const freshet_hash *keys, size_t n,
                                       uint8_t *seen);
FRESHET_API void freshet_remember_batch(freshet *f, const freshet_hash *keys,
                                        size_t n);

/*
 * Begins to load the memory that keys need which are offered or queried soon,
 * if the algorithm can, and does not wait for it.  This helps a caller that has
 * single keys and other work to do meanwhile; batches do it themselves.
 */
FRESHET_API void freshet_prefetch(const freshet *f, const freshet_hash *keys,
                                  size_t n);

/*
 * Tells where in the block a key is written if the filter is empty, lines[0],
 * and where else it is looked for, lines[1], which may be the same: a caller
 * can have those pages brought into memory before it offers the key.  Returns
 * FRESHET_ERR_UNSUPPORTED if the algorithm keeps a key in more places.
 */
FRESHET_API int freshet_lines(const freshet *f, const freshet_hash *key,
                              const void *lines[2]);

/*
 * Forgets a key, if the algorithm can.  Directly after a key was found new and
 * remembered this undoes it, except that keys evicted to make room do not come
 * back.  Forget only keys that were remembered: otherwise another key with an
 * equal fingerprint would be forgotten.  Returns how many of the keys were
 * found and forgotten, or FRESHET_ERR_UNSUPPORTED.
 */
FRESHET_FALLIBLE int freshet_forget(freshet *f, const void *key, size_t len);
FRESHET_FALLIBLE long freshet_forget_batch(freshet *f, const freshet_hash *keys,
                                           size_t n);

/*
 * Sets the clock of a filter with a time window, in any unit; a time before the
 * present one is ignored.  Other filters only store it.  Keys remembered before
 * the first tick count as remembered at time 0.
 */
FRESHET_API void freshet_tick(freshet *f, uint64_t now);

/* Adds the keys of another filter that was made with equal options and seed. */
FRESHET_FALLIBLE int freshet_merge(freshet *f, const freshet *other,
                                   freshet_error *err);

/* ---- One filter, many threads ----------------------------------------- */

/*
 * A filter whose algorithm has FRESHET_CAN_SPLIT consists of groups of cells
 * that share nothing.  Parts are ranges of groups, so that each key belongs to
 * one part.  If every part gets its keys in the order of the stream, then
 * verdicts, the block's bytes and the counters are those of one thread that was
 * offered the whole stream, whatever the number of parts and threads.
 *
 *     thread i:  freshet_route(p, keys, n, sorted, at, start);
 *     thread j:  for each block in order, for a part that no other thread has:
 *                    freshet_tick_part(p, part, first, now);
 *                    freshet_offer_part(p, part, sorted + start[part],
 *                                       at + start[part],
 *                                       start[part + 1] - start[part], seen);
 *     when all have stopped:  freshet_join(p);
 *
 * These may run at the same time: freshet_route(), freshet_part_of(),
 * freshet_parts_count() and freshet_turn_at() with everything; the functions
 * named _part with each other for different parts, which may be at different
 * places of the stream.  All other functions of the parts and of the filter
 * require that all threads have stopped, except freshet_hash_key(),
 * freshet_hasher_of() and freshet_block(), which read nothing that changes.
 *
 * Each part keeps its own counters and clock until freshet_join() adds them up:
 * do not save the block before that.
 */
typedef struct freshet_parts freshet_parts;

enum { FRESHET_MOST_PARTS = 64 };

/*
 * Splits a filter into this many parts, or fewer if it has too few groups.
 * Free the parts before the filter.  Returns FRESHET_ERR_UNSUPPORTED if the
 * filter cannot be split.
 */
FRESHET_FALLIBLE int freshet_split(freshet_parts **out, freshet *f,
                                   unsigned parts, freshet_error *err);

/* Accepts NULL.  Joins the parts first. */
FRESHET_API void freshet_parts_free(freshet_parts *p);

FRESHET_API unsigned freshet_parts_count(const freshet_parts *p);

/* Returns the part that a key belongs to: 0, 1, 2 ... */
FRESHET_API unsigned freshet_part_of(const freshet_parts *p, freshet_hash key);

/*
 * Sorts n keys, fewer than 2^32, by parts, keeping their order within a part:
 * sorted[i] is keys[at[i]], and the keys of part q are those from start[q] up
 * to start[q + 1], which is excluded.  sorted may be NULL; start has one
 * element more than there are parts.
 */
FRESHET_API void freshet_route(const freshet_parts *p, const freshet_hash *keys,
                               size_t n, freshet_hash *sorted, uint32_t *at,
                               uint32_t *start);

/*
 * With a clock, records are given to parts in runs within which no generation
 * of the filter ends.  now[i] is the clock at record i and never goes back.
 * Returns the length of the first run: at least 1, and n if there is only one.
 */
FRESHET_API size_t freshet_turn_at(const freshet_parts *p, const uint64_t *now,
                                   size_t n);

/*
 * Tells a part the position of the next records, which is the number of records
 * before them since freshet_split(), and the time of the last record of a run.
 * A part must be told of every run, even one in which it has no keys.  A step
 * back is ignored.  Records are those offered and remembered.  A filter that
 * needs neither the time nor the number of records (no window, no random
 * numbers) need not be told.
 */
FRESHET_API void freshet_tick_part(freshet_parts *p, unsigned part,
                                   uint64_t first, uint64_t now);

/*
 * The same operations for n keys of one part.  keys[i] comes after "first" +
 * at[i] records; if at is NULL, each key directly follows the one before.
 */
FRESHET_API size_t freshet_offer_part(freshet_parts *p, unsigned part,
                                      const freshet_hash *keys,
                                      const uint32_t *at, size_t n,
                                      uint8_t *seen);
FRESHET_API size_t freshet_query_part(freshet_parts *p, unsigned part,
                                      const freshet_hash *keys,
                                      const uint32_t *at, size_t n,
                                      uint8_t *seen);
FRESHET_API void freshet_remember_part(freshet_parts *p, unsigned part,
                                       const freshet_hash *keys,
                                       const uint32_t *at, size_t n);

/* The same as freshet_forget_batch(). */
FRESHET_FALLIBLE long freshet_forget_part(freshet_parts *p, unsigned part,
                                          const freshet_hash *keys,
                                          const uint32_t *at, size_t n);

/*
 * Adds up the parts, so that counters and clock of the filter are those of one
 * thread.  The filter may then be saved, queried and changed until parts are
 * used again; if it was changed, join again before using parts.
 */
FRESHET_API void freshet_join(freshet_parts *p);

/* ---- Expectations ----------------------------------------------------- */

/*
 * A description of a stream, for predictions.
 *
 * If distinct is set, keys are drawn uniformly from that many keys.  Rates are
 * averages over the given number of records; if records is zero, they are the
 * rates after every key has come once, for any key, or for the key that gap
 * others have followed.  If distinct is zero, the stream is endless and has
 * only new keys and repeats at the given gap; rates are those of the steady
 * state.
 */
typedef struct freshet_workload {
    size_t size;        /* sizeof(freshet_workload) */
    uint64_t distinct;  /* number of keys; 0: endless */
    uint64_t records;   /* length of a stream of distinct keys; 0: see above */
    uint64_t gap;       /* endless, or each key once: new keys between a key
                           and its repeat */
    uint64_t published; /* 1: the formula of the paper, even if it is wrong */
    uint64_t span;      /* endless: records between them, including repeats of
                           other keys, since windows count these; 0: the same as
                           gap */
    const freshet_gap *gaps; /* endless, or each key once: repeats at all of
                                these gaps, instead of one; or NULL */
    uint64_t gap_count;      /* number of gaps */
    double frequency; /* published formula of sbf: share of the records that
                         have the repeat's key, f/N of its Eq. 18 */
    double deviation; /* likewise: how uneven keys meet in cells, its phi */
} freshet_workload;

typedef struct freshet_rates {
    size_t size;         /* sizeof(freshet_rates), set by the caller */
    double false_drop;   /* share of new records; NaN if unknown */
    double false_pass;   /* share of repeats; NaN if unknown */
    double reach;        /* largest gap at which a false pass is rarer than 1 in
                            1000; NaN if unknown, infinite if nothing is
                            forgotten */
    const char *theory;  /* name of the equation, NULL if none */
    double drop_bound;   /* upper bound of false_drop on any stream, or on any
                            of at most workload.distinct keys if that is set;
                            NaN if unknown */
    double stable_fill;  /* final share of cells in use, on a stream of new
                            keys; NaN if unknown */
    double stable_after; /* records until it is within 1 % of that; NaN if
                            unknown */
    double step_variance; /* published formula of rsbf: variance of the number
                             of ones of a partition that the last record adds,
                             Dutta et al. Eq. 5.24; else NaN */
} freshet_rates;

/* Predicts the error rates of a filter, or of one that is not made yet. */
FRESHET_FALLIBLE int freshet_expect(freshet_rates *out, const freshet *f,
                                    const freshet_workload *workload,
                                    freshet_error *err);
FRESHET_FALLIBLE int freshet_expect_options(freshet_rates *out,
                                            const freshet_options *options,
                                            const freshet_workload *workload,
                                            freshet_error *err);

/* ---- Looking inside --------------------------------------------------- */

#define FRESHET_UNKNOWN UINT64_MAX /* the algorithm cannot count this */

typedef struct freshet_info {
    size_t size;           /* sizeof(freshet_info), set by the caller */
    const char *algorithm; /* its name */
    char params[256];      /* every parameter with its value, in the form of
                              options.params */
    const char *hash;      /* "xxh3-128" or "siphash" */
    uint64_t seed;         /* siphash: first half of its key; see
                              freshet_hasher_of() */
    uint64_t memory;       /* bytes of the block */
    double wanted;         /* the false-drop rate asked for */
    uint64_t expect;       /* as in the options */
    uint64_t window;       /* as in the options */
    uint64_t within;       /* as in the options */
    uint64_t now;          /* the last tick */
    uint64_t offered;      /* keys offered so far */
    uint64_t fresh;        /* of them, new */
    uint64_t remembered;   /* keys given to freshet_remember() */
    uint64_t slots;        /* number of bits, cells or slots */
    uint64_t used;         /* number of them that are set, above zero or live */
    uint64_t forgotten;    /* keys forgotten inside their window */
    double false_drop;     /* chance that the next new key is dropped, or NaN */
    double false_pass;     /* chance that a repeat passes, at any gap, or NaN */
    int over_plan;         /* 1: more keys than planned, expect more errors */
    double search; /* mean number of slots compared to find a key, or NaN */
} freshet_info;

/*
 * Fills the first out->size bytes.  Counting the used slots reads the whole
 * block; with a size of offsetof(freshet_info, slots) it is not read.
 */
FRESHET_API void freshet_get_info(const freshet *f, freshet_info *out);

/*
 * The same, but reads about this many bytes of a block that is larger: what is
 * used, and the rates that follow from it, are then estimates from lines all
 * over the block, and what was forgotten may be FRESHET_UNKNOWN.  Returns
 * FRESHET_ERR_UNSUPPORTED, and fills in what is known at once, if the algorithm
 * cannot be sampled.
 */
FRESHET_FALLIBLE int freshet_estimate_info(const freshet *f, freshet_info *out,
                                           size_t bytes);

/* A parameter of an algorithm. */
typedef struct freshet_parameter {
    const char *name;
    double min, max, fallback;
    int whole;         /* 1: whole numbers only */
    const char *words; /* "xor|replace": words for 0, 1 ...; or NULL */
    const char *help;
} freshet_parameter;

enum { /* what an algorithm can do besides offer, query and remember */
       FRESHET_CAN_FORGET = 1,
       FRESHET_CAN_MERGE = 2,
       FRESHET_CAN_WINDOW = 4,   /* options.window */
       FRESHET_CAN_WITHIN = 8,   /* options.within */
       FRESHET_CAN_PROMISE = 16, /* a key offered twice in a row is seen */
       FRESHET_CAN_SPLIT = 32    /* freshet_split() */
};

typedef struct freshet_algorithm {
    const char *name;  /* name in options */
    const char *title; /* title for readers */
    const char *paper; /* source of the algorithm */
    unsigned can;      /* FRESHET_CAN_ bits */
} freshet_algorithm;

/* Return the i-th algorithm, or parameter of one, and NULL after the last. */
FRESHET_API const freshet_algorithm *freshet_algorithm_at(size_t i);
FRESHET_API const freshet_parameter *freshet_parameter_at(
    const freshet_algorithm *algorithm, size_t i);

#ifdef __cplusplus
}
#endif
#endif
