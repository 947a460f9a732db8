/*
 * by_record.h - filters whose random draws go by the number of the record
 *
 * Such a filter can be split: a key of any part draws what it would draw in one
 * thread.  An algorithm NAME has "struct NAME_live live" in its state, whose
 * first member is uint64_t records, the number of records so far.  Besides
 * NAME_touch(), NAME_probe() and NAME_group() of batched.h it writes
 *
 *     uint8_t NAME_step(struct NAME *, struct NAME_live *, freshet_hash)
 *         returns the verdict, remembers the key and adds one to live->records
 *     void NAME_add(struct NAME_live *all, const struct NAME_live *part)
 *         adds what a part counted, besides records
 *
 * FR_BY_RECORD(NAME) generates NAME_offer and NAME_query, FR_SPLIT_BY_RECORD
 * the functions of a struct fr_split, whose initializers are FR_SPLIT_VERBS.
 */
#ifndef FR_BY_RECORD_H
#define FR_BY_RECORD_H

#include <string.h>

#include "batched.h"

/* The element of fr_part.live that has the number of records before the filter
   was split. */
enum { FR_RECORDS_BEFORE = 7 };

/* Key i is record live->records + at[i]; if at is NULL, each key directly
   follows the one before. */
#define FR_BY_RECORD(name)                                                     \
    static size_t name##_offer_from(struct name *s, struct name##_live *live,  \
                                    const freshet_hash *keys,                  \
                                    const uint32_t *at, size_t n,              \
                                    uint8_t *seen)                             \
    {                                                                          \
        uint64_t first = live->records;                                        \
        size_t fresh = 0;                                                      \
                                                                               \
        for (size_t i = 0; i < n && i < FR_AHEAD; i++)                         \
            name##_touch(s, keys[i], i);                                       \
        for (size_t i = 0; i < n; i++) {                                       \
            if (i + FR_AHEAD < n)                                              \
                name##_touch(s, keys[i + FR_AHEAD], FR_AHEAD);                 \
            if (at)                                                            \
                live->records = first + at[i];                                 \
            seen[i] = name##_step(s, live, keys[i]);                           \
            fresh += seen[i] == FRESHET_NEW;                                   \
        }                                                                      \
        return fresh;                                                          \
    }                                                                          \
                                                                               \
    static size_t name##_offer(void *state, const freshet_hash *keys,          \
                               size_t n, uint8_t *seen)                        \
    {                                                                          \
        struct name *s = state;                                                \
                                                                               \
        return name##_offer_from(s, &s->live, keys, NULL, n, seen);            \
    }                                                                          \
                                                                               \
    FR_ROLLING(name, query, const, probe, FR_AHEAD)

#define FR_SPLIT_BY_RECORD(name)                                               \
    FR_ROUTE(name)                                                             \
                                                                               \
    static void name##_begin(const void *state, struct fr_part *part)          \
    {                                                                          \
        const struct name *s = state;                                          \
                                                                               \
        _Static_assert(sizeof s->live <= FR_RECORDS_BEFORE * 8, "live size");  \
        memset(part->live, 0, sizeof part->live);                              \
        part->live[FR_RECORDS_BEFORE] = s->live.records - part->base;          \
    }                                                                          \
                                                                               \
    static size_t name##_offer_part(void *state, struct fr_part *part,         \
                                    const freshet_hash *keys,                  \
                                    const uint32_t *at, size_t n,              \
                                    uint8_t *seen)                             \
    {                                                                          \
        struct name##_live *live = (struct name##_live *)part->live;           \
                                                                               \
        live->records = part->live[FR_RECORDS_BEFORE] + part->base;            \
        return name##_offer_from(state, live, keys, at, n, seen);              \
    }                                                                          \
                                                                               \
    static size_t name##_query_part(void *state, struct fr_part *part,         \
                                    const freshet_hash *keys,                  \
                                    const uint32_t *at, size_t n,              \
                                    uint8_t *seen)                             \
    {                                                                          \
        (void)part, (void)at;                                                  \
        return name##_query(state, keys, n, seen);                             \
    }                                                                          \
                                                                               \
    static void name##_join(void *state, struct fr_part *part,                 \
                            uint64_t records)                                  \
    {                                                                          \
        struct name *s = state;                                                \
                                                                               \
        s->live.records = part->live[FR_RECORDS_BEFORE] + records;             \
        name##_add(&s->live, (const struct name##_live *)part->live);          \
    }

#define FR_SPLIT_VERBS(name)                                                   \
    .groups = name##_groups, .route = name##_route, .begin = name##_begin,     \
    .offer = name##_offer_part, .query = name##_query_part,                    \
    .join = name##_join

#endif
