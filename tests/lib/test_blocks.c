/*
 * test_blocks.c - a block of memory that comes from anywhere
 *
 * Each thing wrong with it has its own status, and a message that says what.
 */
#include "harness.h"

enum { BLOCK = 4096 };
static _Alignas(64) unsigned char block[BLOCK + 64];

static void make_block(void)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = BLOCK, .seed = 9);
    size_t bytes;
    const void *from = freshet_block(f, &bytes);

    assert_int_equal(bytes, BLOCK);
    memcpy(block, from, bytes);
    freshet_free(f);
}

static void attach_refused(size_t at, size_t bytes, int wanted,
                           const char *words)
{
    freshet_error err;
    freshet *f = (freshet *)&err;
    int status = freshet_attach(&f, block + at, bytes, &err);

    if (status != wanted || !strstr(err.message, words))
        fail_msg("status %d, \"%s\"; wanted %d and \"%s\"", status, err.message,
                 wanted, words);
    assert_null(f);
    assert_int_equal(freshet_attach(&f, block + at, bytes, NULL), wanted);
}

/* The header byte at this offset, changed, leads to this answer. */
static void changed(size_t at, unsigned char value, int wanted,
                    const char *words)
{
    make_block();
    assert_int_not_equal(block[at], value);
    block[at] = value;
    attach_refused(0, BLOCK, wanted, words);
}

static void a_good_block_attaches(void **state)
{
    freshet *f;

    (void)state;
    make_block();
    assert_int_equal(freshet_attach(&f, block, BLOCK, NULL), FRESHET_OK);
    freshet_free(f);
    /* Room behind it is fine: a caller may map more than it needs. */
    assert_int_equal(freshet_attach(&f, block, BLOCK + 64, NULL), FRESHET_OK);
    freshet_free(f);
}

static void a_misaligned_block_is_refused(void **state)
{
    freshet_error err;
    freshet *f;

    (void)state;
    make_block();
    memmove(block + 8, block, BLOCK);
    attach_refused(8, BLOCK, FRESHET_ERR_ALIGNMENT, "multiple of 64");
    assert_int_equal(freshet_attach(&f, NULL, 0, &err), FRESHET_ERR_ALIGNMENT);
    assert_int_equal(freshet_create_at(&f, block + 8, BLOCK,
                                       OPTIONS(.algorithm = "sbf",
                                               .memory = BLOCK),
                                       &err),
                     FRESHET_ERR_ALIGNMENT);
    assert_null(f);
}

static void a_foreign_block_is_refused(void **state)
{
    (void)state;
    changed(0, 'F', FRESHET_ERR_FOREIGN, "not a freshet");
    changed(7, '1', FRESHET_ERR_FOREIGN, "not a freshet");
    make_block();
    attach_refused(0, 7, FRESHET_ERR_FOREIGN, "not a freshet");
    attach_refused(0, 0, FRESHET_ERR_FOREIGN, "not a freshet");
    memset(block, 0, BLOCK);
    attach_refused(0, BLOCK, FRESHET_ERR_FOREIGN, "not a freshet");
}

static void a_cut_block_is_refused(void **state)
{
    (void)state;
    make_block();
    attach_refused(0, 8, FRESHET_ERR_DAMAGED, "cut short");
    attach_refused(0, 255, FRESHET_ERR_DAMAGED, "cut short");
    attach_refused(0, 256, FRESHET_ERR_DAMAGED, "256 of 4096 bytes");
    attach_refused(0, BLOCK - 1, FRESHET_ERR_DAMAGED, "4095 of 4096 bytes");
}

static void what_a_newer_freshet_wrote_is_refused(void **state)
{
    (void)state;
    changed(8, 2, FRESHET_ERR_VERSION, "newer freshet");
    changed(12, 'S', FRESHET_ERR_VERSION, "algorithm that freshet");
    changed(16, 'X', FRESHET_ERR_VERSION, "newer freshet");
    changed(20, 1, FRESHET_ERR_VERSION, "newer freshet");
    for (size_t unused = 104; unused < 128; unused++)
        changed(unused, 1, FRESHET_ERR_VERSION, "newer freshet");
    for (size_t spare = 224; spare < 256; spare++)
        changed(spare, 1, FRESHET_ERR_VERSION, "newer freshet");
    for (size_t param = 128 + 4 * 8; param < 224; param++)
        changed(param, 1, FRESHET_ERR_VERSION, "newer freshet gave sbf");
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    changed(8, 0, FRESHET_ERR_DAMAGED, "damaged");
    changed(25, 0, FRESHET_ERR_DAMAGED, "damaged");
    changed(32, 0, FRESHET_ERR_DAMAGED, "damaged");       /* no seed */
    changed(128 + 7, 0xff, FRESHET_ERR_DAMAGED, "sbf");   /* d */
    changed(256 + 24, 33, FRESHET_ERR_DAMAGED, "sbf");    /* k */
    changed(256 + 2, 1, FRESHET_ERR_DAMAGED, "sbf");      /* m */
    changed(256 + 32 + 1, 1, FRESHET_ERR_DAMAGED, "sbf"); /* d */
}

static void a_callers_block_must_be_large_enough(void **state)
{
    freshet_planned planned = {.size = sizeof planned};
    const freshet_options *options =
        OPTIONS(.algorithm = "sbf", .memory = BLOCK);
    freshet_error err;
    freshet *f;

    (void)state;
    memset(block, 0, sizeof block);
    assert_int_equal(freshet_plan(&planned, options, NULL), FRESHET_OK);
    assert_int_equal(freshet_create_at(&f, block, planned.bytes - 1, options,
                                       &err),
                     FRESHET_ERR_BUDGET);
    assert_null(f);
    assert_non_null(strstr(err.message, "has 4095 bytes"));
    assert_int_equal(block[0], 0);
    assert_int_equal(freshet_create_at(&f, block, planned.bytes, options, &err),
                     FRESHET_OK);
    freshet_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_block_attaches),
        cmocka_unit_test(a_misaligned_block_is_refused),
        cmocka_unit_test(a_foreign_block_is_refused),
        cmocka_unit_test(a_cut_block_is_refused),
        cmocka_unit_test(what_a_newer_freshet_wrote_is_refused),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_callers_block_must_be_large_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
