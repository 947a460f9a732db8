/*
 * replay_cache.c - the last answer to each client that numbers its requests
 */
#include "replay_cache.h"

#include <string.h>

#include "api.h"
#include "server_stats.h"

long long replay_cache_limit = REPLAY_CACHE_CLIENTS;

static size_t index_of(const struct replay_cache *a, const char *name,
                       size_t len)
{
    size_t i = 0;

    while (i < a->n &&
           (a->at[i].name != len || memcmp(a->at[i].text, name, len) != 0))
        i++;
    return i;
}

const struct answer *replay_cache_find(const struct replay_cache *a,
                                       const char *name, size_t len)
{
    size_t i = index_of(a, name, len);

    return i < a->n ? &a->at[i] : NULL;
}

static void grow(struct replay_cache *a)
{
    size_t room = a->room ? 2 * a->room : 8;
    struct answer *at = rm.Alloc(room * sizeof *at);

    if (a->n)
        memcpy(at, a->at, a->n * sizeof *at);
    if (a->at)
        rm.Free(a->at);
    a->at = at;
    a->room = room;
}

/* Removes the clients that came least recently, until this many are left. */
static void shrink_to(struct replay_cache *a, size_t n)
{
    for (; a->n > n; server_stats_forgotten())
        rm.Free(a->at[--a->n].text);
}

/* Returns a free first element.  The element at the index is removed; if there
   is none, the last one is removed when the cache is full. */
static struct answer *push_front(struct replay_cache *a, size_t index)
{
    if (index < a->n) {
        rm.Free(a->at[index].text);
    } else {
        shrink_to(a, (size_t)replay_cache_limit - 1);
        if (a->n == a->room)
            grow(a);
        index = a->n++;
    }
    memmove(a->at + 1, a->at, index * sizeof *a->at);
    return a->at;
}

char *replay_cache_keep(struct replay_cache *a, const char *name, size_t len,
                        uint64_t seq, uint64_t request, size_t verdicts)
{
    struct answer *answer;

    if (len == 0 || len > REPLAY_CACHE_NAME || verdicts > REPLAY_CACHE_VERDICTS)
        return NULL;
    answer = push_front(a, index_of(a, name, len));
    *answer = (struct answer){.text = rm.Alloc(len + verdicts),
                              .name = len,
                              .verdicts = verdicts,
                              .seq = seq,
                              .request = request};
    memcpy(answer->text, name, len);
    return answer->text + len;
}

void replay_cache_copy(struct replay_cache *to, const struct replay_cache *from)
{
    for (size_t i = from->n; i > 0; i--) {
        const struct answer *old = &from->at[i - 1];
        char *verdicts = replay_cache_keep(to, old->text, old->name, old->seq,
                                           old->request, old->verdicts);

        memcpy(verdicts, old->text + old->name, old->verdicts);
    }
}

void replay_cache_free(struct replay_cache *a)
{
    for (size_t i = 0; i < a->n; i++)
        rm.Free(a->at[i].text);
    if (a->at)
        rm.Free(a->at);
    *a = (struct replay_cache){0};
}

size_t replay_cache_bytes(const struct replay_cache *a)
{
    size_t bytes = a->room * sizeof *a->at;

    for (size_t i = 0; i < a->n; i++)
        bytes += a->at[i].name + a->at[i].verdicts;
    return bytes;
}
