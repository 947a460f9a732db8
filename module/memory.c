/*
 * memory.c - room for a block, out of the server's own allocator
 *
 * Large blocks ask for huge pages, which halve the time per key.  Small ones
 * do not: of 64 MiB that hold a few keys, only a few pages should be real.
 */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "api.h"

enum { ALIGN = 64, PAGE = 4096, LARGE = 1 << 20, HUGE_FROM = 128 << 20 };

bool room_huge_pages;

/* Wish for huge pages, or no longer; it may be refused. */
static void advise(const struct room *room, int advice)
{
    char *at = room->block;
    size_t before = -(uintptr_t)at % PAGE;

    if (room->bytes >= HUGE_FROM)
        (void)madvise(at + before, (room->bytes - before) / PAGE * PAGE,
                      advice);
}

/*
 * What a large allocation held before is given back to the kernel, which
 * gives zero pages when they are touched: a gibibyte is zeroed in no time.
 */
static void zero(char *at, size_t len)
{
    size_t before = -(uintptr_t)at % PAGE;
    size_t after = (uintptr_t)(at + len) % PAGE;

    if (len < LARGE ||
        madvise(at + before, len - before - after, MADV_DONTNEED) != 0) {
        memset(at, 0, len);
        return;
    }
    memset(at, 0, before);
    memset(at + len - after, 0, after);
}

/*
 * Most allocators align what is large.  Asking for more in any case would cost
 * a quarter of a power of two: size classes are that far apart.
 */
bool room_make(struct room *room, size_t bytes)
{
    *room = (struct room){.bytes = bytes};
    if (bytes > SIZE_MAX / 2)
        return false;
    room->memory = rm.TryAlloc(bytes);
    if ((uintptr_t)room->memory % ALIGN != 0) {
        rm.Free(room->memory);
        room->memory = rm.TryAlloc(bytes + ALIGN);
    }
    if (!room->memory)
        return false;
    room->block = (char *)room->memory + -(uintptr_t)room->memory % ALIGN;
    zero(room->block, bytes);
    if (room_huge_pages)
        advise(room, MADV_HUGEPAGE);
    return true;
}

void room_free(struct room *room)
{
    if (room->memory) {
        advise(room, MADV_NOHUGEPAGE); /* the next user did not ask */
        rm.Free(room->memory);
    }
    *room = (struct room){0};
}

bool all_zero(const char *at, size_t len)
{
    return at[0] == 0 && memcmp(at, at + 1, len - 1) == 0;
}

void copy_sparse(char *to, const char *from, size_t len)
{
    for (size_t i = 0, n; i < len; i += n) {
        n = len - i < PAGE ? len - i : PAGE;
        if (!all_zero(from + i, n))
            memcpy(to + i, from + i, n);
    }
}
