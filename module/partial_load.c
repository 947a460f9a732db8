/*
 * partial_load.c - filters that are being loaded, chunk by chunk
 */
#include "partial_load.h"

#include <string.h>

enum { STAGES = 16, PATIENCE = 60 * 1000 };

static struct partial_load stages[STAGES];
static bool timer_runs;

unsigned partial_load_count(void)
{
    unsigned n = 0;

    for (size_t i = 0; i < STAGES; i++)
        n += stages[i].key != NULL;
    return n;
}

void partial_load_drop(struct partial_load *s)
{
    if (!s)
        return;
    rm.Free(s->key);
    room_free(&s->room);
    *s = (struct partial_load){0};
}

/* Drops loads that no client continues.  The timer is set again as long as
   there are loads. */
static void sweep(rm_ctx *ctx, void *data)
{
    long long now = rm.Milliseconds();

    (void)data;
    for (size_t i = 0; i < STAGES; i++)
        if (stages[i].key && now - stages[i].touched >= PATIENCE)
            partial_load_drop(&stages[i]);
    timer_runs = partial_load_count() > 0;
    if (timer_runs)
        rm.CreateTimer(ctx, PATIENCE, sweep, NULL);
}

struct partial_load *partial_load_find(rm_ctx *ctx, rm_string *key)
{
    size_t len;
    const char *name = rm.StringPtrLen(key, &len);
    int db = rm.GetSelectedDb(ctx);

    for (size_t i = 0; i < STAGES; i++)
        if (stages[i].key && stages[i].db == db && stages[i].key_len == len &&
            memcmp(stages[i].key, name, len) == 0)
            return &stages[i];
    return NULL;
}

/* Returns a free place, or else the one whose last chunk is oldest, freed. */
static struct partial_load *place_for_one(void)
{
    struct partial_load *oldest = &stages[0];

    for (size_t i = 0; i < STAGES; i++) {
        if (!stages[i].key)
            return &stages[i];
        if (stages[i].touched < oldest->touched)
            oldest = &stages[i];
    }
    partial_load_drop(oldest);
    return oldest;
}

struct partial_load *partial_load_begin(rm_ctx *ctx, rm_string *key,
                                        size_t total)
{
    struct partial_load *s = place_for_one();
    size_t len;
    const char *name = rm.StringPtrLen(key, &len);

    if (!room_make(&s->room, total))
        return NULL;
    s->key = rm.Alloc(len + 1);
    memcpy(s->key, name, len);
    s->key_len = len;
    s->db = rm.GetSelectedDb(ctx);
    if (!timer_runs) {
        timer_runs = true;
        rm.CreateTimer(ctx, PATIENCE, sweep, NULL);
    }
    return s;
}

void partial_load_add(struct partial_load *s, const char *chunk, size_t len)
{
    copy_sparse((char *)s->room.block + s->filled, chunk, len);
    s->filled += len;
    s->touched = rm.Milliseconds();
}
