/*
 * block_memory.c - room for a block, out of the server's own allocator
 *
 * Huge pages halve the time per key.  Large blocks ask for them at once.
 * Others do not: of 64 MiB that hold a few keys, only a few pages should be
 * real.  When all are, they are made into huge ones, one with each write, so
 * that nobody waits long.
 */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "block_memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "api.h"

#ifndef MADV_COLLAPSE
#    define MADV_COLLAPSE 25 /* since Linux 6.1; unknown to glibc 2.36 */
#endif

enum {
    ALIGN = 64,
    PAGE = 4096,
    LARGE = 1 << 20,
    HUGE_PAGE = 2 << 20,
    GATHER_FROM = 8 << 20,
    HUGE_FROM = 128 << 20
};

bool room_huge_pages;

/* Wish for huge pages, or no longer; it may be refused. */
static void advise(const struct room *room, int advice)
{
    char *at = room->block;
    size_t before = -(uintptr_t)at % PAGE;

    (void)madvise(at + before, (room->bytes - before) / PAGE * PAGE, advice);
}

/* Gathering pages does not ask whether the administrator wants huge ones. */
static bool are_allowed(void)
{
    FILE *setting = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    char text[64] = "[never]";

    if (setting) {
        (void)!fgets(text, sizeof text, setting);
        (void)fclose(setting);
    }
    return room_huge_pages && !strstr(text, "[never]");
}

/* False: this kernel cannot, or may not. */
static bool gather(char *page)
{
    return madvise(page, HUGE_PAGE, MADV_COLLAPSE) == 0 || errno != EINVAL;
}

void room_gather(struct room *room)
{
    char *block = room->block;
    size_t at = -(uintptr_t)block % HUGE_PAGE + room->gathered;
    bool begun = room->gathered != 0, allowed = begun || are_allowed();

    if (allowed && !begun)
        advise(room, MADV_HUGEPAGE); /* what a save splits is gathered again */
    room->gathered += HUGE_PAGE;
    if (!allowed || at + HUGE_PAGE > room->bytes || !gather(block + at))
        room->busy_at = UINT64_MAX;
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
    *room = (struct room){.bytes = bytes, .busy_at = UINT64_MAX};
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
    if (bytes >= HUGE_FROM && room_huge_pages)
        advise(room, MADV_HUGEPAGE);
    else if (bytes >= GATHER_FROM)
        room->busy_at = bytes / PAGE;
    return true;
}

void room_free(struct room *room)
{
    if (room->memory) {
        if (room->bytes >= GATHER_FROM)
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
