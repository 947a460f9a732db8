/*
 * module_memory.c - makes a module whose n-th allocation fails
 *
 * It is linked with the module's objects (--wrap), and adds a command:
 *
 *     FAULT.ALLOC n
 *
 * lets the n-th allocation from now on fail, none if n is 0, and returns how
 * many there were since the last FAULT.ALLOC.  Allocations are those that may
 * fail: TryAlloc() of the server, and the library's own.  The server ends by
 * itself when its Alloc() has no memory, so that one is left alone.
 */
#include <errno.h>
#include <stdlib.h>

#include "rdb_type.h"

static struct {
    long long calls, fail_at;
    void *(*try_alloc)(size_t n);
} memory;

static int fails(void)
{
    if (++memory.calls != memory.fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

/* ---- Allocations ------------------------------------------------------ */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *at, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *at, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *at, size_t n)
{
    return fails() ? NULL : __real_realloc(at, n);
}

void *__wrap_aligned_alloc(size_t alignment, size_t n)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, n);
}

static void *try_alloc(size_t n)
{
    return fails() ? NULL : memory.try_alloc(n);
}

/* ---- The command ------------------------------------------------------ */

static int run_alloc(rm_ctx *ctx, rm_string **argv, int argc)
{
    long long n = 0, calls = memory.calls;

    (void)argc;
    (void)rm.StringToLongLong(argv[1], &n);
    memory.calls = 0;
    memory.fail_at = n;
    return rm.ReplyWithLongLong(ctx, calls);
}

/* The module registers its type when it knows the server's calls. */
int __real_type_register(rm_ctx *ctx);
int __wrap_type_register(rm_ctx *ctx);

int __wrap_type_register(rm_ctx *ctx)
{
    memory.try_alloc = rm.TryAlloc;
    rm.TryAlloc = try_alloc;
    if (rm.CreateCommand(ctx, "FAULT.ALLOC", run_alloc, "readonly", 0, 0, 0) !=
        RM_OK)
        return RM_ERR;
    return __real_type_register(ctx);
}
