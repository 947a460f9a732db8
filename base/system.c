/*
 * system.c - Linux functions beyond POSIX, behind names of our own
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ, MADV_HUGEPAGE, memrchr */
#include "system.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { PIPE = 1 << 20 };

bool system_random(void *to, size_t n)
{
    return getrandom(to, n, 0) == (ssize_t)n;
}

bool system_random_seed(uint64_t *seed)
{
    do {
        if (!system_random(seed, sizeof *seed))
            return false;
    } while (*seed == 0);
    return true;
}

void system_want_huge_pages(void *at, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t before = -(uintptr_t)at % page;

    if (bytes > before + page)
        (void)madvise((char *)at + before, (bytes - before) / page * page,
                      MADV_HUGEPAGE);
}

void system_widen_pipe(int fd)
{
    (void)fcntl(fd, F_SETPIPE_SZ, PIPE);
}

const char *system_last_byte(const char *at, char byte, size_t len)
{
    return memrchr(at, byte, len);
}
