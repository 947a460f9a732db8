/*
 * reply.c - answers in the shapes that clients expect
 */
#include "reply.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

int reply_error(rm_ctx *ctx, const char *format, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            *c = '?';
    return rm.ReplyWithError(ctx, text);
}

int reply_ok(rm_ctx *ctx)
{
    return rm.ReplyWithSimpleString(ctx, "OK");
}

struct reply_map reply_map(rm_ctx *ctx)
{
    rm.ReplyWithMap(ctx, RM_POSTPONED);
    return (struct reply_map){.ctx = ctx};
}

static void name_it(struct reply_map *map, const char *name)
{
    rm.ReplyWithCString(map->ctx, name);
    map->n++;
}

void reply_text(struct reply_map *map, const char *name, const char *text)
{
    name_it(map, name);
    if (text)
        rm.ReplyWithCString(map->ctx, text);
    else
        rm.ReplyWithNull(map->ctx);
}

/* Integers of the protocol end at 2^63 - 1: a greater one is text. */
void reply_count(struct reply_map *map, const char *name, uint64_t count)
{
    char text[24];

    if (count > INT64_MAX) {
        snprintf(text, sizeof text, "%" PRIu64, count);
        reply_text(map, name, text);
        return;
    }
    name_it(map, name);
    rm.ReplyWithLongLong(map->ctx, (long long)count);
}

/* Answers a real number as text, since the protocol would show seventeen
   digits. */
void reply_real(struct reply_map *map, const char *name, double real)
{
    char text[24];

    snprintf(text, sizeof text, "%.6g", real);
    reply_text(map, name, isnan(real) ? NULL : text);
}

void reply_map_end(struct reply_map *map)
{
    rm.ReplySetMapLength(map->ctx, map->n);
}
