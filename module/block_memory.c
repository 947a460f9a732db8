/*
 * block_memory.c - memory for a block, from the server's own allocator
 *
 * Huge pages halve the time per key.  But each of a filter's first keys
 * touches a page of its own: with huge pages from the start, every one of them
 * would clear 2 MiB and make it resident.  A block therefore begins with small
 * pages.  When it has a key to each 16 KiB, a thread collapses the pages into
 * huge ones: page_collapse.h.
 */
#define _GNU_SOURCE /* MADV_HUGEPAGE, mremap() */
#include "block_memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "api.h"
#include "background_thread.h"
#include "page_collapse.h"

#ifndef MREMAP_DONTUNMAP
#    define MREMAP_DONTUNMAP 4 /* since Linux 5.7 */
#endif

enum {
    ALIGN = 64,
    PAGE = 4096,
    LARGE = 1 << 20,
    HUGE_PAGE = 2 << 20,
    COLLAPSE_FROM = 8 << 20,
    UNMAPPED = 8 << 20,       /* bytes of a step */
    BYTES_PER_KEY = 4 * PAGE, /* of a block that is worth huge pages */

    /* A block up to this size is zeroed where it is, in less than 20 ms: its
       pages need not be got from the kernel again. */
    ZERO_IN_PLACE = 256 << 20
};

bool room_huge_pages;

/* The server's threads free blocks, too. */
static atomic_ullong total, freed;

uint64_t room_total(void)
{
    return atomic_load_explicit(&total, memory_order_relaxed);
}

uint64_t room_freed(void)
{
    return atomic_load_explicit(&freed, memory_order_relaxed);
}

/* Each key writes a page, and a page has been written with a probability of
   1 - exp(-4) when there are four keys to a page. */
bool room_is_young(const struct room *room, uint64_t keys)
{
    return room->bytes >= COLLAPSE_FROM && keys / 4 < room->bytes / PAGE;
}

bool room_is_changing(const struct room *room)
{
    return room->collapse && !page_collapse_is_over(room->collapse);
}

/* Advises the kernel to use huge pages, or not to use them.  The kernel may
   ignore it. */
static void advise(const struct room *room, int advice)
{
    char *at = room->block;
    size_t before = -(uintptr_t)at % PAGE;

    (void)madvise(at + before, (room->bytes - before) / PAGE * PAGE, advice);
}

/* MADV_COLLAPSE does not ask whether the administrator wants huge pages. */
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

void room_collapse(struct room *room)
{
    room->busy_at = UINT64_MAX;
    if (!are_allowed())
        return;
    room->collapse = page_collapse_start(room->block, room->bytes);
}

/* Ends the thread that makes huge pages, if there is one. */
static void stop_collapse(struct room *room)
{
    if (room->collapse)
        page_collapse_stop(room->collapse);
    room->collapse = NULL;
}

/*
 * The pages of a large allocation are given back to the kernel, which gives
 * zero pages when they are touched: zeroing a gibibyte takes no time.
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
    if (bytes >= COLLAPSE_FROM) {
        advise(room, MADV_NOHUGEPAGE); /* where the kernel gives them to all */
        room->busy_at = bytes / BYTES_PER_KEY;
    }
    atomic_fetch_add_explicit(&total, bytes, memory_order_relaxed);
    return true;
}

void room_free(struct room *room)
{
    if (room->memory) {
        stop_collapse(room);
        if (room->bytes >= COLLAPSE_FROM) {
            advise(room, MADV_NOHUGEPAGE); /* the next user did not ask */
            atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
        }
        rm.Free(room->memory);
        atomic_fetch_sub_explicit(&total, room->bytes, memory_order_relaxed);
    }
    *room = (struct room){0};
}

/* ---- Zeroing a block in use -------------------------------------------- */

struct pages {
    void *at;
    size_t len;
};

/* In steps: the kernel holds a lock meanwhile that the server needs for any
   other memory. */
static void *unmap(void *data)
{
    struct pages *pages = data;
    char *at = pages->at;

    for (size_t left = pages->len, step; left; at += step, left -= step) {
        step = left < UNMAPPED ? left : UNMAPPED;
        (void)munmap(at, step);
    }
    free(pages);
    return NULL;
}

/* To return a gibibyte of small pages to the kernel takes 0.1 s. */
static void unmap_in_thread(void *at, size_t len)
{
    struct pages *pages = malloc(sizeof *pages);

    if (pages) {
        *pages = (struct pages){at, len};
        if (background_thread(unmap, pages))
            return;
    }
    free(pages);
    (void)munmap(at, len);
}

/*
 * Replaces the pages of a range by zero pages: mremap() moves the old ones to
 * another range, which a thread unmaps.  The kernel moves whole page tables if
 * both addresses are equal modulo the size of a huge page.  Returns false if
 * the kernel cannot do it.
 */
static bool move_pages(char *at, size_t len)
{
    size_t all = len + HUGE_PAGE;
    char *area = mmap(NULL, all, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *to;

    if (area == MAP_FAILED)
        return false;
    to = area + ((uintptr_t)at - (uintptr_t)area) % HUGE_PAGE;
    if (mremap(at, len, len, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
               to) != to) {
        (void)munmap(area, all);
        return false;
    }
    unmap_in_thread(area, all);
    return true;
}

void room_zero(struct room *room, size_t from)
{
    char *at = (char *)room->block + from;
    size_t len = room->bytes - from;
    size_t before = -(uintptr_t)at % PAGE;
    size_t after = (uintptr_t)(at + len) % PAGE;

    if (room->bytes <= ZERO_IN_PLACE) {
        memset(at, 0, len);
        return;
    }
    stop_collapse(room);
    /* Until it is in use again.  The kernel moves one mapping only, and the
       huge pages inside the block are one of their own. */
    advise(room, MADV_NOHUGEPAGE);
    if (move_pages(at + before, len - before - after)) {
        memset(at, 0, before);
        memset(at + len - after, 0, after);
    } else {
        zero(at, len);
    }
    room->busy_at = room->bytes / BYTES_PER_KEY;
}

/* ---- Zeroes ------------------------------------------------------------ */

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
