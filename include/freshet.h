/*
 * freshet.h - bounded-memory stream deduplication
 *
 * A filter answers one question about a stream: "have I seen this key
 * before?"  It answers in constant time, in memory fixed when it is made,
 * for ever.  The price is a small, stated chance of being wrong.
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
 * It can be wrong in two ways.  A false drop is a new key called a repeat:
 * a record is lost.  A false pass is a repeat called new: noise is kept.
 *
 * Everything that can fail fails while a filter is made, attached, merged or
 * asked for what its algorithm cannot do.  Offering keys allocates nothing
 * and cannot fail.
 *
 * Threads: the library keeps no global state.  Two threads may use two
 * filters freely.  One filter needs one writer at a time; functions that take
 * a const filter may run side by side when there is no writer.  A filter that
 * is split has one writer for each of its parts: see "One filter, many
 * threads".
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

/* The version of the library at run time, as "0.1.0". */
FRESHET_API const char *freshet_version(void);

/* ---- Status ----------------------------------------------------------- */

/* Numbers are ABI: append, never renumber. */
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

/* Where a failing call explains itself.  The caller owns it; NULL is fine. */
typedef struct freshet_error {
    int status;
    char message[252]; /* one line, no newline, always terminated */
} freshet_error;

/* ---- Making a filter -------------------------------------------------- */

typedef struct freshet freshet;

/* What the planner strives for when no algorithm is named. */
enum {
    FRESHET_GOAL_FALSE_DROPS = 0, /* stay within false_drop_rate */
    FRESHET_GOAL_FEWEST = 1       /* fewest false drops and passes together */
};

/*
 * Only size must be set; everywhere else zero means the default.  Fields are
 * only ever appended, so old callers work with new libraries, and a new
 * caller that sets a field an old library lacks gets an error, not silence.
 */
typedef struct freshet_options {
    size_t size;            /* sizeof(freshet_options) */
    const char *algorithm;  /* a name from the list; NULL or "auto": planned */
    const char *params;     /* the algorithm's own: "k=4,bits=2" */
    uint64_t memory;        /* hard ceiling in bytes, all included; 256 MiB */
    double false_drop_rate; /* wanted, at least 2^-60 and below 1; 1e-6 */
    uint64_t expect;        /* distinct keys expected in all; 0: unknown */
    uint64_t window;        /* records to look back; 0: as many as fit */
    uint64_t within;        /* ticks to look back; 0: no limit */
    uint64_t seed;          /* same seed, same verdicts; 0: a random one */
    uint32_t goal;          /* FRESHET_GOAL_ for the planner */
    uint32_t reserved;      /* zero */
    const char *hash;       /* "siphash" for keys that attackers choose, else
                               "xxh3-128", which NULL means as well */
    uint64_t seed_high;     /* siphash, the other half of its key; 0: follows
                               from seed, or random if that is 0, too */
} freshet_options;

/* What options lead to, before anything is made. */
typedef struct freshet_planned {
    size_t size;           /* sizeof(freshet_planned), set by the caller */
    const char *algorithm; /* chosen, or as named */
    char params[256];      /* every parameter, spelled out */
    uint64_t bytes;        /* of the whole block, at most options.memory */
    char reason[256];      /* why, in a sentence for the user */
} freshet_planned;

/* Decide everything, make nothing.  out may be NULL to check options only. */
FRESHET_FALLIBLE int freshet_plan(freshet_planned *out,
                                  const freshet_options *options,
                                  freshet_error *err);

/*
 * Make an empty filter.  On failure *out is NULL, and err, if given, says
 * why in a sentence fit for the user.
 */
FRESHET_FALLIBLE int freshet_create(freshet **out,
                                    const freshet_options *options,
                                    freshet_error *err);

/*
 * The same, inside memory the caller owns: a shared mapping, a module's
 * allocation.  The block must be 64-byte aligned and zeroed, and must outlive
 * the filter.  freshet_plan() tells how many bytes to bring.
 */
FRESHET_FALLIBLE int freshet_create_at(freshet **out, void *block, size_t bytes,
                                       const freshet_options *options,
                                       freshet_error *err);

/*
 * Adopt a block written by this or another process.  The bytes may come from
 * anywhere: they are fully checked, and refused rather than trusted.  Nobody
 * else may write to them while the filter lives.  A read-only mapping will do
 * for the const functions.
 */
FRESHET_FALLIBLE int freshet_attach(freshet **out, void *block, size_t bytes,
                                    freshet_error *err);

/* Returns the filter's whole state: one block without pointers. */
FRESHET_API const void *freshet_block(const freshet *f, size_t *bytes);

/* Empty again, as just made: same options, same seed, counters at zero. */
FRESHET_API void freshet_reset(freshet *f);

/* Accepts NULL.  Leaves a caller's block alone. */
FRESHET_API void freshet_free(freshet *f);

/* ---- Keys ------------------------------------------------------------- */

enum {
    FRESHET_NEW = 0, /* not seen before, as far as the filter can tell */
    FRESHET_SEEN = 1 /* seen before, but for the filter's false drops */
};

/* A key's 128-bit keyed hash: what filters really work on. */
typedef struct freshet_hash {
    uint64_t lo, hi;
} freshet_hash;

/* Returns the hash of a key for this filter.  Filters with the same hash and
   key hash equally. */
FRESHET_API freshet_hash freshet_hash_key(const freshet *f, const void *key,
                                          size_t len);

/*
 * A hash and its key: all that hashing needs, so that one process may hash
 * keys for a filter that lives in another.  Two hashers with the same hash and
 * key return the same hashes.  Hashers may be copied and need not be freed.
 */
typedef struct freshet_hasher {
    size_t size;           /* sizeof(freshet_hasher), set by the caller */
    const char *hash;      /* its name; NULL: "xxh3-128" */
    uint64_t key[2];       /* a filter's seed, and for siphash its other half,
                              0 for xxh3-128; both 0: random */
    uint64_t prepared[24]; /* written by the library */
} freshet_hasher;

/* Make a hasher of the hash and the key that the struct holds. */
FRESHET_FALLIBLE int freshet_hasher_init(freshet_hasher *hasher,
                                         freshet_error *err);

/* The hasher of a filter: it outlives the filter. */
FRESHET_API void freshet_hasher_of(const freshet *f, freshet_hasher *out);

/* Returns the hash of a key.  One of the two functions above made the
   hasher. */
FRESHET_API freshet_hash freshet_hash_with(const freshet_hasher *hasher,
                                           const void *key, size_t len);

/* Ask about a key and remember it. */
FRESHET_API int freshet_offer(freshet *f, const void *key, size_t len);

/* Ask only: the filter does not change. */
FRESHET_API int freshet_query(const freshet *f, const void *key, size_t len);

/* Remember only: the filter becomes what offering would have made it. */
FRESHET_API void freshet_remember(freshet *f, const void *key, size_t len);

/*
 * The same for n keys already hashed, in order; seen[i] receives the verdict on
 * keys[i].  Returns the number of new keys.  This is the fast path: a few
 * hundred keys is a good batch.  Verdicts do not depend on the batch size.
 */
FRESHET_API size_t freshet_offer_batch(freshet *f, const freshet_hash *keys,
                                       size_t n, uint8_t *seen);
FRESHET_API size_t freshet_query_batch(const freshet *f,
                                       const freshet_hash *keys, size_t n,
                                       uint8_t *seen);
FRESHET_API void freshet_remember_batch(freshet *f, const freshet_hash *keys,
                                        size_t n);

/*
 * Forget a key, where the algorithm can.  Right after a key was found new and
 * remembered this undoes it, except that keys evicted to make room do not come
 * back.  Forget only keys that were remembered: otherwise another key with an
 * equal fingerprint would be forgotten.  Returns how many of the keys were
 * there to be forgotten, or FRESHET_ERR_UNSUPPORTED.
 */
FRESHET_FALLIBLE int freshet_forget(freshet *f, const void *key, size_t len);
FRESHET_FALLIBLE long freshet_forget_batch(freshet *f, const freshet_hash *keys,
                                           size_t n);

/*
 * Tell a filter with a time window the time, in any unit; going back is
 * ignored.  Other filters only note it.  What was remembered before the first
 * tick counts as having come at time 0.
 */
FRESHET_API void freshet_tick(freshet *f, uint64_t now);

/* Fold in what another filter, made with equal options and seed, remembers. */
FRESHET_FALLIBLE int freshet_merge(freshet *f, const freshet *other,
                                   freshet_error *err);

/* ---- One filter, many threads ----------------------------------------- */

/*
 * A filter whose algorithm has FRESHET_CAN_SPLIT is a row of groups of cells
 * that share nothing.  Parts are ranges of that row, so that each key belongs
 * to one part.  If every part gets its keys in the order of the stream, then
 * verdicts, the block's bytes and the counters are those of one thread that
 * was offered the whole stream, whatever the number of parts and threads.
 *
 *     thread i:  freshet_route(p, keys, n, sorted, at, start);
 *     thread j:  for each block in order, for a part that no other thread has:
 *                    freshet_tick_part(p, part, first, now);
 *                    freshet_offer_part(p, part, sorted + start[part],
 *                                       at + start[part],
 *                                       start[part + 1] - start[part], seen);
 *     when all have stopped:  freshet_join(p);
 *
 * What may run side by side: freshet_route(), freshet_part_of(),
 * freshet_parts_count() and freshet_turn_at() always; the functions named
 * _part for different parts.  Parts may be at different places of the stream
 * meanwhile.  Each of the other functions, of the parts and of the filter,
 * needs all threads to have stopped; but for freshet_hash_key(),
 * freshet_hasher_of() and freshet_block(), which do not read what changes.
 *
 * What the filter counts, and its clock, are kept by each part until
 * freshet_join() adds them up: before that, the block is not to be saved.
 */
typedef struct freshet_parts freshet_parts;

enum { FRESHET_MOST_PARTS = 64 };

/*
 * Split a filter into this many parts, or fewer if it has too few groups.  The
 * parts are to be freed before the filter.  Returns FRESHET_ERR_UNSUPPORTED if
 * the filter cannot be split.
 */
FRESHET_FALLIBLE int freshet_split(freshet_parts **out, freshet *f,
                                   unsigned parts, freshet_error *err);

/* Accepts NULL.  Joins the parts first. */
FRESHET_API void freshet_parts_free(freshet_parts *p);

FRESHET_API unsigned freshet_parts_count(const freshet_parts *p);

/* Returns the part that a key belongs to: 0, 1, 2 ... */
FRESHET_API unsigned freshet_part_of(const freshet_parts *p, freshet_hash key);

/*
 * Sort n keys by parts, each part's in the order they came: sorted[i] is
 * keys[at[i]], and those of part q stand from start[q] up to start[q + 1].
 * sorted may be NULL; start has room for one number more than there are parts.
 */
FRESHET_API void freshet_route(const freshet_parts *p, const freshet_hash *keys,
                               size_t n, freshet_hash *sorted, uint32_t *at,
                               uint32_t *start);

/*
 * Where there is a clock, records are given to parts in runs within which no
 * generation of the filter ends.  now[i] is the clock at record i and never
 * goes back.  Returns the length of the first run: at least 1, and n if there
 * is no more than one.
 */
FRESHET_API size_t freshet_turn_at(const freshet_parts *p, const uint64_t *now,
                                   size_t n);

/*
 * Tell a part what comes next: records that stand behind "first" others since
 * freshet_split(), and the time of the last record of a run.  A part must be
 * told of every run, even one in which it has no keys.  Going back is ignored.
 * Records are those offered and remembered; a filter that needs neither time
 * nor the number of records (no window, no random numbers) may be told
 * nothing.
 */
FRESHET_API void freshet_tick_part(freshet_parts *p, unsigned part,
                                   uint64_t first, uint64_t now);

/*
 * The verbs, for n keys of one part.  keys[i] comes after "first" + at[i]
 * records; with at NULL, keys follow each other.
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

/* As freshet_forget_batch(). */
FRESHET_FALLIBLE long freshet_forget_part(freshet_parts *p, unsigned part,
                                          const freshet_hash *keys,
                                          const uint32_t *at, size_t n);

/*
 * Make the filter whole: its counters and clock are then those of one thread.
 * It may be saved, asked and changed until parts are used again; if it was
 * changed, join before that.
 */
FRESHET_API void freshet_join(freshet_parts *p);

/* ---- Expectations ----------------------------------------------------- */

/*
 * A stream, as far as theory needs it.
 *
 * With distinct set, keys come from a finite universe of that many, each
 * equally likely: rates are averages over the first records of it, or, with
 * records zero, those met after every key has come once, of any key or of the
 * one that has gap others behind it.  Otherwise the stream is endless and all
 * new but for repeats at the given gap: rates are those of the steady state.
 */
typedef struct freshet_workload {
    size_t size;        /* sizeof(freshet_workload) */
    uint64_t distinct;  /* keys in the universe; 0: endless */
    uint64_t records;   /* length of a finite stream; 0: see above */
    uint64_t gap;       /* endless, or each key once: new keys between a key
                           and its repeat */
    uint64_t published; /* 1: the paper's own formula, even where it errs */
    uint64_t span;      /* endless: records between them, repeats of other keys
                           included, for windows count these; 0: as gap */
} freshet_workload;

typedef struct freshet_rates {
    size_t size;         /* sizeof(freshet_rates), set by the caller */
    double false_drop;   /* of new records; NaN where theory has nothing */
    double false_pass;   /* of repeats; NaN likewise */
    double reach;        /* gap up to which a false pass is rarer than 1 in
                           1000; NaN likewise, infinite if never forgotten */
    const char *theory;  /* the equation used, NULL if none */
    double drop_bound;   /* what false drops stay below on any stream, of at
                           most the workload's distinct keys if these are told;
                           NaN where no bound is known */
    double stable_fill;  /* share of cells in use in the end, on a stream of new
                           keys; NaN where theory has nothing */
    double stable_after; /* records after which it is within 1 % of that; NaN
                            likewise */
} freshet_rates;

/* What theory predicts for a filter, or for one not made yet. */
FRESHET_FALLIBLE int freshet_expect(freshet_rates *out, const freshet *f,
                                    const freshet_workload *workload,
                                    freshet_error *err);
FRESHET_FALLIBLE int freshet_expect_options(freshet_rates *out,
                                            const freshet_options *options,
                                            const freshet_workload *workload,
                                            freshet_error *err);

/* ---- Looking inside --------------------------------------------------- */

#define FRESHET_UNKNOWN UINT64_MAX /* a count the algorithm cannot know */

typedef struct freshet_info {
    size_t size;           /* sizeof(freshet_info), set by the caller */
    const char *algorithm; /* its name */
    char params[256];      /* every parameter in use, as options take them */
    const char *hash;      /* "xxh3-128" or "siphash" */
    uint64_t seed;         /* siphash: half of the key; freshet_hasher_of()
                              has all of it */
    uint64_t memory;       /* bytes of the block */
    double wanted;         /* the false-drop rate asked for */
    uint64_t expect;       /* as in the options */
    uint64_t window;       /* as in the options */
    uint64_t within;       /* as in the options */
    uint64_t now;          /* the last tick */
    uint64_t offered;      /* keys offered so far */
    uint64_t fresh;        /* of them, new */
    uint64_t remembered;   /* keys given to freshet_remember() */
    uint64_t slots;        /* bits, cells or slots there are */
    uint64_t used;         /* of them set, above zero or live */
    uint64_t forgotten;    /* keys lost while still wanted */
    double false_drop;     /* chance of one for the next new key, or NaN */
    double false_pass;     /* chance of one for a repeat at any gap, or NaN */
    int over_plan;         /* 1: holds more than planned, expect more errors */
    double search; /* slots compared to find a key, on average, or NaN */
} freshet_info;

/*
 * Fills the first out->size bytes.  Counting what is used reads the block: a
 * size of offsetof(freshet_info, slots) asks for what is known at once.
 */
FRESHET_API void freshet_get_info(const freshet *f, freshet_info *out);

/* One tunable of an algorithm. */
typedef struct freshet_parameter {
    const char *name;
    double min, max, fallback;
    int whole;         /* 1: whole numbers only */
    const char *words; /* "xor|replace": words for 0, 1 ...; or NULL */
    const char *help;
} freshet_parameter;

enum { /* what an algorithm can do beyond the three verbs */
       FRESHET_CAN_FORGET = 1,
       FRESHET_CAN_MERGE = 2,
       FRESHET_CAN_WINDOW = 4,   /* options.window */
       FRESHET_CAN_WITHIN = 8,   /* options.within */
       FRESHET_CAN_PROMISE = 16, /* a key offered twice running is seen */
       FRESHET_CAN_SPLIT = 32    /* freshet_split() */
};

typedef struct freshet_algorithm {
    const char *name;  /* what people type */
    const char *title; /* what people read */
    const char *paper; /* where it comes from */
    unsigned can;      /* FRESHET_CAN_ bits */
} freshet_algorithm;

/* Walk the algorithms, and one's parameters: 0, 1, 2 ... until NULL. */
FRESHET_API const freshet_algorithm *freshet_algorithm_at(size_t i);
FRESHET_API const freshet_parameter *freshet_parameter_at(
    const freshet_algorithm *algorithm, size_t i);

#ifdef __cplusplus
}
#endif
#endif
