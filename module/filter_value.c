/*
 * filter_value.c - what a key of our type holds: a filter and the last answers
 */
#include "filter_value.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "api.h"
#include "server_stats.h"

/* Where doc/format.md has them: freshet_get_info() takes its time. */
enum { SEED_AT = 32, FRESH_AT = 48, WITHIN_AT = 88 };

uint64_t value_keys(const struct value *value)
{
    struct {
        uint64_t fresh, remembered;
    } n;

    memcpy(&n, (const char *)value->room.block + FRESH_AT, sizeof n);
    return n.fresh + n.remembered;
}

size_t value_block_bytes(const struct value *value)
{
    size_t bytes;

    (void)freshet_block(value->filter, &bytes);
    return bytes;
}

size_t value_bytes(const struct value *value)
{
    return sizeof *value + value->room.bytes +
           replay_cache_bytes(&value->answers);
}

struct value *value_of(freshet *filter, struct room *room)
{
    struct value *value = rm.Alloc(sizeof *value);

    *value = (struct value){.filter = filter, .room = *room};
    *room = (struct room){0};
    memcpy(&value->within, (const char *)value->room.block + WITHIN_AT,
           sizeof value->within);
    memcpy(&value->seed, (const char *)value->room.block + SEED_AT,
           sizeof value->seed);
    server_stats_count(1);
    return value;
}

static struct value *no_memory(uint64_t bytes, freshet_error *err)
{
    err->status = FRESHET_ERR_MEMORY;
    snprintf(err->message, sizeof err->message,
             "the system has no %llu bytes of memory left",
             (unsigned long long)bytes);
    return NULL;
}

struct value *value_make(const freshet_options *options, freshet_error *err)
{
    freshet_planned planned = {.size = sizeof planned};
    struct room room;
    freshet *filter;

    if (freshet_plan(&planned, options, err) < 0)
        return NULL;
    if (!room_make(&room, planned.bytes))
        return no_memory(planned.bytes, err);
    if (freshet_create_at(&filter, room.block, room.bytes, options, err) < 0) {
        room_free(&room);
        return NULL;
    }
    return value_of(filter, &room);
}

struct value *value_attach(struct room *room, freshet_error *err)
{
    freshet *filter;

    if (freshet_attach(&filter, room->block, room->bytes, err) < 0) {
        room_free(room);
        return NULL;
    }
    return value_of(filter, room);
}

struct value *value_copy(const struct value *value)
{
    size_t bytes = value_block_bytes(value);
    struct value *copy;
    struct room room;
    freshet_error err;

    if (!room_make(&room, bytes))
        return NULL;
    copy_sparse(room.block, value->room.block, bytes);
    copy = value_attach(&room, &err);
    if (copy)
        replay_cache_copy(&copy->answers, &value->answers);
    return copy;
}

void value_reset(struct value *value)
{
    room_zero(&value->room, freshet_reset_head(value->filter));
    value->told = 0; /* it has forgotten the time, too */
    replay_cache_free(&value->answers);
}

void value_free(struct value *value)
{
    server_stats_count(-1);
    freshet_free(value->filter);
    room_free(&value->room);
    replay_cache_free(&value->answers);
    rm.Free(value);
}

freshet_info value_brief_info(const freshet *f)
{
    freshet_info info = {.size = offsetof(freshet_info, slots),
                         .forgotten = FRESHET_UNKNOWN,
                         .false_drop = (double)NAN,
                         .false_pass = (double)NAN};

    freshet_get_info(f, &info);
    return info;
}
