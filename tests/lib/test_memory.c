/*
 * test_memory.c - what the library asks of the system, and when
 *
 * The linker sends the library's calls for memory through the functions
 * below (--wrap), which count them and can let the n-th one fail.
 */
#include <sys/mman.h>
#include <sys/types.h>

#include "harness.h"

static struct {
    long calls;   /* so far */
    long fail_at; /* this one fails; 0: none */
    long held;    /* allocations and mappings not given back */
} memory;

static int refuse(void)
{
    return ++memory.calls == memory.fail_at;
}

static void *hold(void *got)
{
    memory.held += got != NULL;
    return got;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
int __real_posix_memalign(void **out, size_t align, size_t n);
void __real_free(void *p);
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t from);
int __real_munmap(void *at, size_t n);
ssize_t __real_getrandom(void *to, size_t n, unsigned flags);

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
int __wrap_posix_memalign(void **out, size_t align, size_t n);
void __wrap_free(void *p);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t from);
int __wrap_munmap(void *at, size_t n);
ssize_t __wrap_getrandom(void *to, size_t n, unsigned flags);

void *__wrap_malloc(size_t n)
{
    return refuse() ? NULL : hold(__real_malloc(n));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return refuse() ? NULL : hold(__real_calloc(n, size));
}

void *__wrap_realloc(void *old, size_t n)
{
    memory.held -= old != NULL;
    return refuse() ? NULL : hold(__real_realloc(old, n));
}

void *__wrap_aligned_alloc(size_t align, size_t n)
{
    return refuse() ? NULL : hold(__real_aligned_alloc(align, n));
}

int __wrap_posix_memalign(void **out, size_t align, size_t n)
{
    int failed = refuse() || __real_posix_memalign(out, align, n) != 0;

    memory.held += !failed;
    return failed;
}

void __wrap_free(void *p)
{
    memory.held -= p != NULL;
    __real_free(p);
}

/* Parts of a mapping may be given back one by one: count whole pages. */
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
    if (refuse())
        return MAP_FAILED;
    memory.held += (long)((n + 4095) / 4096);
    return __real_mmap(at, n, prot, flags, fd, from);
}

int __wrap_munmap(void *at, size_t n)
{
    memory.held -= (long)((n + 4095) / 4096);
    return __real_munmap(at, n);
}

/* What the next calls for random bytes do, before one that works. */
static enum { WORK, GIVE_ZERO, REFUSE } next_random;

ssize_t __wrap_getrandom(void *to, size_t n, unsigned flags)
{
    if (next_random == REFUSE)
        return -1;
    if (next_random == WORK)
        return __real_getrandom(to, n, flags);
    next_random = WORK;
    memset(to, 0, n);
    return (ssize_t)n;
}

/* ---- Tests ------------------------------------------------------------ */

enum { SMALL = 65536, LARGE = 3 << 20 };

static int create(freshet **out, const char *name, size_t bytes,
                  freshet_error *err)
{
    return freshet_create(out,
                          OPTIONS(.algorithm = name, .memory = bytes,
                                  .seed = 7),
                          err);
}

/* Let call number 1, 2 ... of a creation fail, until none is left to fail. */
static void fail_each_allocation(const char *name, size_t bytes)
{
    for (long n = 1;; n++) {
        long held = memory.held;
        freshet_error err = {0};
        freshet *f = (freshet *)&err;
        int status;

        memory.calls = 0;
        memory.fail_at = n;
        status = create(&f, name, bytes, &err);
        memory.fail_at = 0;
        if (status == FRESHET_OK) {
            assert_int_equal(memory.calls, n - 1);
            assert_true(n > 2); /* a block and a handle at least */
            freshet_free(f);
            assert_int_equal(memory.held, held);
            return;
        }
        assert_int_equal(status, FRESHET_ERR_MEMORY);
        assert_int_equal(err.status, FRESHET_ERR_MEMORY);
        assert_true(strlen(err.message) > 0);
        assert_null(f);
        assert_int_equal(memory.held, held);
    }
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
    fail_each_allocation(*state, SMALL);
    fail_each_allocation(*state, LARGE);
}

/* In the caller's block only the handle can fail to be had. */
static void a_callers_block_needs_only_a_handle(void **state)
{
    const freshet_options *options =
        OPTIONS(.algorithm = *state, .memory = SMALL, .seed = 7);
    void *block = aligned_alloc(64, SMALL);
    long held = memory.held;
    freshet *f;

    assert_non_null(block);
    for (int attach = 0; attach < 2; attach++) {
        for (int fail = 1; fail >= 0; fail--) {
            int status;

            if (!attach)
                memset(block, 0, SMALL);
            memory.calls = 0;
            memory.fail_at = fail;
            status = attach
                         ? freshet_attach(&f, block, SMALL, NULL)
                         : freshet_create_at(&f, block, SMALL, options, NULL);
            memory.fail_at = 0;
            assert_int_equal(status, fail ? FRESHET_ERR_MEMORY : FRESHET_OK);
            assert_int_equal(memory.calls, 1);
            assert_int_equal(f == NULL, fail);
            freshet_free(f);
            assert_int_equal(memory.held, held);
        }
    }
    free(block);
}

/* A filter that cannot be split for want of memory is as it was. */
static void a_failed_split_leaves_the_filter_alone(void **state)
{
    freshet_error err = {0};
    freshet_parts *parts;
    long held;
    freshet *f;

    assert_int_equal(create(&f, *state, SMALL, NULL), FRESHET_OK);
    offer(f, 1);
    held = memory.held;
    memory.calls = 0;
    memory.fail_at = 1;
    if (freshet_split(&parts, f, 4, &err) != FRESHET_ERR_UNSUPPORTED) {
        assert_int_equal(memory.calls, 1);
        assert_int_equal(err.status, FRESHET_ERR_MEMORY);
        assert_true(strlen(err.message) > 0);
        assert_null(parts);
        memory.fail_at = 0;
        assert_int_equal(freshet_split(&parts, f, 4, &err), FRESHET_OK);
        assert_int_equal(memory.calls, 2); /* all there is */
        freshet_parts_free(parts);
    }
    memory.fail_at = 0;
    assert_int_equal(memory.held, held);
    assert_int_equal(query(f, 1), FRESHET_SEEN);
    freshet_free(f);
}

static void planning_takes_no_memory(void **state)
{
    const freshet_options *options =
        OPTIONS(.algorithm = *state, .memory = LARGE);
    const freshet_workload workload = {.size = sizeof workload, .gap = 100};
    freshet_planned planned = {.size = sizeof planned};
    freshet_rates rates = {.size = sizeof rates};

    memory.calls = 0;
    assert_int_equal(freshet_plan(&planned, options, NULL), FRESHET_OK);
    assert_int_equal(freshet_expect_options(&rates, options, &workload, NULL),
                     FRESHET_OK);
    assert_int_equal(memory.calls, 0);
}

/* Everything that a made filter can be asked. */
static void use(freshet *f, freshet *other)
{
    freshet_hash keys[300];
    uint8_t seen[300];

    for (uint64_t round = 0; round < 50; round++) {
        for (uint64_t i = 0; i < 300; i++)
            keys[i] = hash_of(f, round * 200 + i);
        freshet_query_batch(f, keys, 300, seen);
        freshet_offer_batch(f, keys, 300, seen);
        freshet_remember_batch(f, keys, 300);
        freshet_tick(f, round * 1000);
        assert_true(freshet_forget_batch(f, keys, 300) <= 300);
        offer(f, round);
        query(f, round);
        freshet_remember(f, &round, sizeof round);
        assert_true(freshet_forget(f, &round, sizeof round) <= 1);
    }
    assert_true(freshet_merge(f, other, NULL) <= FRESHET_OK);
    expect_of(f, (freshet_workload){.gap = 1000});
    info_of(f);
    freshet_reset(f);
}

static void nothing_is_allocated_after_creation(void **state)
{
    for (size_t bytes = 4096; bytes <= LARGE; bytes *= 16) {
        freshet *f, *other;

        assert_int_equal(create(&f, *state, bytes, NULL), FRESHET_OK);
        assert_int_equal(create(&other, *state, bytes, NULL), FRESHET_OK);
        memory.calls = 0;
        use(f, other);
        assert_int_equal(memory.calls, 0);
        freshet_free(f);
        freshet_free(other);
    }
}

/* Better no filter than one whose seed anybody knows. */
static void no_randomness_no_filter(void **state)
{
    const freshet_options *options =
        OPTIONS(.algorithm = *state, .memory = SMALL);
    freshet_hasher hasher = {.size = sizeof hasher};
    long held = memory.held;
    freshet_error err;
    freshet *f;

    next_random = REFUSE;
    assert_int_equal(freshet_hasher_init(&hasher, &err), FRESHET_ERR_RANDOM);
    assert_int_equal(freshet_create(&f, options, &err), FRESHET_ERR_RANDOM);
    assert_non_null(strstr(err.message, "random"));
    assert_null(f);
    assert_int_equal(memory.held, held);
    assert_int_equal(freshet_plan(NULL, options, &err), FRESHET_OK);

    /* Zero would mean "draw one": it is drawn again. */
    next_random = GIVE_ZERO;
    assert_int_equal(freshet_create(&f, options, &err), FRESHET_OK);
    assert_int_not_equal(info_of(f).seed, 0);
    freshet_free(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_failed_allocation_leaves_nothing_behind),
    cmocka_unit_test(a_callers_block_needs_only_a_handle),
    cmocka_unit_test(a_failed_split_leaves_the_filter_alone),
    cmocka_unit_test(planning_takes_no_memory),
    cmocka_unit_test(nothing_is_allocated_after_creation),
    cmocka_unit_test(no_randomness_no_filter),
};
enum { TESTS = sizeof tests / sizeof *tests };

int main(void)
{
    const freshet_algorithm *a;
    int failed = 0;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        struct CMUnitTest mine[TESTS];

        for (size_t t = 0; t < TESTS; t++) {
            mine[t] = tests[t];
            mine[t].initial_state = (void *)(uintptr_t)a->name;
        }
        failed += cmocka_run_group_tests_name(a->name, mine, NULL, NULL);
    }
    return failed != 0;
}
