/*
 * key_scratch.c - memory in which keys of several parts are assembled
 */
#include "key_scratch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

enum { TYPE_SHIFT = 56 }; /* lengths never use these bits */

void key_scratch_begin(struct key_scratch *s, bool fold)
{
    s->used = 0;
    s->parts = false;
    s->fold = fold;
}

void key_scratch_free(struct key_scratch *s)
{
    free(s->at);
    free(s->aside);
}

static bool reserve(struct key_scratch *s, size_t more)
{
    char *at;

    if (s->at && s->size - s->used >= more)
        return true;
    at = array_reserve(s->at, &s->size, s->used + more + 256, 1);
    if (at)
        s->at = at;
    return at;
}

/* Copies bytes to an offset of the scratch, which has room for them. */
static void put(struct key_scratch *s, size_t offset, struct view v)
{
    if (!s->fold) {
        memmove(s->at + offset, v.at, v.len); /* they may already be there */
        return;
    }
    for (size_t i = 0; i < v.len; i++) {
        char c = v.at[i];

        s->at[offset + i] = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
    }
}

static bool add_length(struct key_scratch *s, uint64_t len)
{
    if (!reserve(s, sizeof len))
        return false;
    memcpy(s->at + s->used, &len, sizeof len);
    s->used += sizeof len;
    s->parts = true;
    return true;
}

char *key_room(struct key_scratch *s, size_t len)
{
    if (!reserve(s, sizeof(uint64_t) + len))
        return NULL;
    return s->at + s->used + sizeof(uint64_t);
}

bool key_add_typed(struct key_scratch *s, unsigned type, struct view part)
{
    if (!add_length(s, part.len | (uint64_t)type << TYPE_SHIFT) ||
        !reserve(s, part.len))
        return false;
    put(s, s->used, part);
    s->used += part.len;
    return true;
}

bool key_add_part(struct key_scratch *s, struct view part)
{
    return key_add_typed(s, 0, part);
}

bool key_add_absent(struct key_scratch *s)
{
    return add_length(s, UINT64_MAX);
}

bool key_set(struct key_scratch *s, struct view bytes)
{
    if (!reserve(s, bytes.len))
        return false;
    memcpy(s->at, bytes.at, bytes.len);
    s->used = bytes.len;
    s->parts = true;
    return true;
}

struct view key_first_part(const struct key_scratch *s)
{
    uint64_t len;

    for (size_t at = 0; at < s->used; at += sizeof len) {
        memcpy(&len, s->at + at, sizeof len);
        if (len != UINT64_MAX)
            return (struct view){s->at + at + sizeof len,
                                 len & ~(UINT64_MAX << TYPE_SHIFT)};
    }
    return (struct view){NULL, 0};
}

bool key_fold(struct key_scratch *s, struct view *key)
{
    if (!reserve(s, key->len))
        return false;
    put(s, 0, *key);
    key->at = s->at;
    return true;
}
