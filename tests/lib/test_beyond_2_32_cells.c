/*
 * test_beyond_2_32_cells.c - filters of more than 2^32 cells
 *
 * Address space costs nothing: only pages that are touched exist, and those
 * show where a filter's cells are.
 */
#include <sys/mman.h>

#include "harness.h"

#define PAGE ((size_t)4096)

/* The most bits that a cell of each can have in a block of this size. */
static const struct {
    const char *name;
    unsigned bits;
} filters[] = {
    {"bloom", 1},    {"counting", 4}, {"landmark", 1}, {"jumping", 10},
    {"sliding", 36}, {"double", 1},   {"a2", 1},       {"apbf", 1},
};
#define BYTES ((size_t)48 << 30)

static void *address_space(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        skip();
    madvise(at, bytes, MADV_NOHUGEPAGE);
    return at;
}

/* How many pages from there on have been touched. */
static size_t touched(char *block, size_t from)
{
    size_t n = (BYTES - from) / PAGE, there = 0;
    unsigned char *page = malloc(n);

    assert_non_null(page);
    assert_int_equal(mincore(block + from, BYTES - from, page), 0);
    for (size_t i = 0; i < n; i++)
        there += page[i] & 1;
    free(page);
    return there;
}

static void cells_beyond_2_to_the_32_are_used(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        char *block = address_space(BYTES);
        freshet_options o = {.size = sizeof o,
                             .algorithm = filters[i].name,
                             .memory = BYTES,
                             .seed = 3};
        freshet *f;

        assert_int_equal(freshet_create_at(&f, block, BYTES, &o, NULL),
                         FRESHET_OK);
        for (uint64_t key = 0; key < 200; key++)
            assert_int_equal(offer(f, key), FRESHET_NEW);
        for (uint64_t key = 0; key < 200; key++)
            assert_int_equal(query(f, key), FRESHET_SEEN);
        if (touched(block, ((size_t)filters[i].bits << 32) / 8) < 200)
            fail_msg("%s stays below 2^32", filters[i].name);
        freshet_free(f);
        munmap(block, BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_beyond_2_to_the_32_are_used),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
