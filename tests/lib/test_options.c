/*
 * test_options.c - what users get wrong, and what they are told
 *
 * Each mistake has its own status, and a message that names the culprit.
 */
#include <locale.h>
#include <sys/mman.h>

#include "harness.h"

/* The options fail with this status, and the message holds these words. */
#define assert_refused(wanted, words, ...)                                     \
    refused(OPTIONS(__VA_ARGS__), (wanted), (words))

static void refused(const freshet_options *options, int wanted,
                    const char *words)
{
    freshet_planned planned = {.size = sizeof planned, .bytes = 77};
    freshet_error err = {.status = 5}, again = {.status = 5};
    freshet *f = (freshet *)&err;
    int status = freshet_create(&f, options, &err);

    if (status != wanted || !strstr(err.message, words))
        fail_msg("status %d, \"%s\"; wanted %d and \"%s\"", status, err.message,
                 wanted, words);
    assert_null(f);
    assert_int_equal(err.status, wanted);
    assert_null(strpbrk(err.message, "\n\r\t"));
    assert_int_equal(freshet_plan(&planned, options, &again), wanted);
    assert_string_equal(again.message, err.message);
    assert_int_equal(planned.bytes, 77);
    assert_int_equal(freshet_create(&f, options, NULL), wanted);
}

static void unknown_names_are_named(void **state)
{
    (void)state;
    assert_refused(FRESHET_ERR_ALGORITHM, "named sbff", .algorithm = "sbff");
    assert_refused(FRESHET_ERR_ALGORITHM, "named SBF", .algorithm = "SBF");
    assert_refused(FRESHET_ERR_ALGORITHM, "named", .algorithm = "");
    assert_refused(FRESHET_ERR_PARAMETER, "sbf has no parameter named q",
                   .algorithm = "sbf", .params = "q=1");
    assert_refused(FRESHET_ERR_PARAMETER, "named dd", .algorithm = "sbf",
                   .params = "d=1,dd=1");
    assert_refused(FRESHET_ERR_PARAMETER, "named D", .algorithm = "sbf",
                   .params = "D=1");
    assert_refused(FRESHET_ERR_PARAMETER, "named  k", .algorithm = "sbf",
                   .params = "d=1, k=2");
    assert_refused(FRESHET_ERR_PARAMETER, "named", .algorithm = "sbf",
                   .params = "=1");
    assert_refused(FRESHET_ERR_PARAMETER, "named", .algorithm = "sbf",
                   .params = ",");
}

static void a_parameter_needs_a_value(void **state)
{
    (void)state;
    assert_refused(FRESHET_ERR_RANGE, "k needs a value", .algorithm = "sbf",
                   .params = "k");
    assert_refused(FRESHET_ERR_RANGE, "k needs a value", .algorithm = "sbf",
                   .params = "k,d=1");
    assert_refused(FRESHET_ERR_RANGE, "k must be", .algorithm = "sbf",
                   .params = "k=");
}

static void a_word_must_be_one_of_those_there_are(void **state)
{
    (void)state;
    assert_refused(FRESHET_ERR_RANGE, "one of xor|replace, not swap",
                   .algorithm = "fpsbf", .params = "update=swap");
    assert_refused(FRESHET_ERR_RANGE, "one of xor|replace, not xo",
                   .algorithm = "fpsbf", .params = "update=xo");
}

/* strtod() knows more ways to write a number than people expect. */
static void only_plain_numbers_are_numbers(void **state)
{
    static const char *const bad[] = {
        "k=four", "k=4x",  "k=4 ",   "k= 4",  "k=\t4",     "k=4=4",
        "k=nan",  "k=NaN", "k=-nan", "k=inf", "k=-inf",    "k=infinity",
        "k=0x4",  "k=0X4", "k=4,5",  "k=4..", "k=1e",      "k=--4",
        "k=1e99", "k=-1",  "k=33",   "k=2.5", "k=4.00001", "k=nan(1)",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        freshet_error err;
        int status = try_filter(&err, .algorithm = "sbf", .memory = 4096,
                                .params = bad[i]);

        if (status != FRESHET_ERR_RANGE && status != FRESHET_ERR_PARAMETER)
            fail_msg("%s gives %d", bad[i], status);
    }
    assert_refused(FRESHET_ERR_RANGE, "k must be a whole number within 0..32",
                   .algorithm = "sbf", .params = "k=2.5");
    assert_refused(FRESHET_ERR_RANGE, "not 0x4", .algorithm = "sbf",
                   .params = "k=0x4");
    assert_int_equal(try_filter(NULL, .algorithm = "sbf", .memory = 4096,
                                .params = "k=4e0,p=1.05e+1,d=+2"),
                     FRESHET_OK);
}

/* The point is a point, read and written, where people use a comma. */
static void the_locale_changes_no_number(void **state)
{
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE",
                                         "ru_RU.UTF-8"};
    freshet *f;
    size_t i = 0;

    (void)state;
    while (i < 4 && !setlocale(LC_NUMERIC, commas[i]))
        i++;
    f = make_filter(.algorithm = "sbf", .memory = 4096, .params = "p=10.5");
    assert_non_null(strstr(info_of(f).params, "p=10.5"));
    freshet_free(f);
    setlocale(LC_NUMERIC, "C");
}

static void values_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    assert_refused(FRESHET_ERR_RANGE, "d=5", .algorithm = "sbf",
                   .params = "d=5");
    assert_refused(FRESHET_ERR_RANGE, "not both", .algorithm = "sbf",
                   .window = 10, .within = 10);
    assert_refused(FRESHET_ERR_UNSUPPORTED, "sbf has no window of records",
                   .algorithm = "sbf", .window = 10);
    assert_refused(FRESHET_ERR_UNSUPPORTED, "sbf has no window of time",
                   .algorithm = "sbf", .within = 10);
}

static void ranges_are_kept(void **state)
{
    const uint64_t too_many = (UINT64_C(1) << 48) + 1;

    (void)state;
    assert_refused(FRESHET_ERR_BUDGET, "at least", .algorithm = "sbf",
                   .memory = 1);
    assert_refused(FRESHET_ERR_BUDGET, "not 300", .algorithm = "sbf",
                   .memory = 300);
    assert_refused(FRESHET_ERR_RANGE, "2^48", .algorithm = "sbf",
                   .memory = too_many);
    assert_refused(FRESHET_ERR_RANGE, "2^48", .algorithm = "sbf",
                   .memory = UINT64_MAX);
    assert_refused(FRESHET_ERR_RANGE, "2^48", .algorithm = "sbf",
                   .expect = too_many);
    assert_refused(FRESHET_ERR_RANGE, "2^48", .algorithm = "sbf",
                   .window = too_many);
    assert_refused(FRESHET_ERR_RANGE, "goal", .algorithm = "sbf", .goal = 2);
    assert_refused(FRESHET_ERR_RANGE, "reserved", .algorithm = "sbf",
                   .reserved = 1);
    assert_refused(FRESHET_ERR_ARGUMENT, "gaps is NULL", .algorithm = "sbf",
                   .gap_count = 1);
}

static void a_rate_lies_between_zero_and_one(void **state)
{
    const double bad[] = {1, 1.5, -0.1, HUGE_VAL, -HUGE_VAL, (double)NAN};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(FRESHET_ERR_RANGE, "below 1", .algorithm = "sbf",
                       .false_drop_rate = bad[i]);
    for (double rate = 0.5; rate > 1e-3; rate /= 2)
        assert_int_equal(try_filter(NULL, .algorithm = "sbf", .memory = 4096,
                                    .false_drop_rate = rate),
                         FRESHET_OK);
    assert_refused(FRESHET_ERR_RANGE, "1e-300", .algorithm = "sbf",
                   .memory = 4096, .false_drop_rate = 1e-300);
}

/* What is refused names the least rate, which is kept and stored as it is. */
static void the_least_rate_is_named_and_kept(void **state)
{
    const double too_small[] = {8.6e-19, 1e-20, 1e-30, 1e-300};
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; i < sizeof too_small / sizeof *too_small; i++)
        for (size_t j = 0; (a = freshet_algorithm_at(j)); j++)
            assert_refused(FRESHET_ERR_RANGE, "at least 8.7e-19",
                           .algorithm = a->name,
                           .false_drop_rate = too_small[i]);
    for (double rate = 8.7e-19; rate < 1e-3; rate *= 7) {
        freshet *f = make_filter(.memory = 4096, .false_drop_rate = rate);

        assert_near(info_of(f).wanted, rate, 1e-5 * rate + 0x1p-64);
        assert_true(expect_of(f, (freshet_workload){.gap = 1}).false_drop <=
                    rate);
        assert_int_equal(try_filter(NULL, .memory = 4096,
                                    .false_drop_rate = info_of(f).wanted),
                         FRESHET_OK);
        freshet_free(f);
    }
}

/* One line, whatever is in the name, and never past its end. */
static void names_in_messages_are_tamed(void **state)
{
    static char name[100000], params[100002];
    freshet_error err;

    (void)state;
    memset(name, 'x', sizeof name - 1);
    memset(params, 'y', sizeof params - 1);
    assert_refused(FRESHET_ERR_ALGORITHM, "xxxx", .algorithm = name);
    assert_refused(FRESHET_ERR_PARAMETER, "yyyy", .algorithm = "sbf",
                   .params = params);
    memcpy(params, "k=", 2);
    assert_refused(FRESHET_ERR_RANGE, "yyyy", .algorithm = "sbf",
                   .params = params);
    memset(params + 2, '1', sizeof params - 3);
    assert_refused(FRESHET_ERR_RANGE, "1111", .algorithm = "sbf",
                   .params = params);
    assert_refused(FRESHET_ERR_ALGORITHM, "named a?b?c",
                   .algorithm = "a\nb\rc");
    assert_refused(FRESHET_ERR_PARAMETER, "named a?[31mb", .algorithm = "sbf",
                   .params = "a\033[31mb=1");
    try_filter(&err, .algorithm = "sbf", .params = "k=\x80\xff");
    assert_int_equal(strlen(err.message) < sizeof err.message, 1);
}

static void a_size_must_be_set(void **state)
{
    freshet_options options = {.algorithm = "sbf"};
    freshet_workload workload = {.gap = 1};
    freshet_rates rates = {.size = sizeof rates};
    freshet_planned planned = {.bytes = 7};
    freshet *f = make_filter(.algorithm = "sbf", .memory = 4096);
    freshet_error err;

    (void)state;
    refused(&options, FRESHET_ERR_ARGUMENT, "sizeof(freshet_options)");
    refused(NULL, FRESHET_ERR_ARGUMENT, "options is NULL");
    assert_int_equal(freshet_expect(&rates, f, &workload, &err),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "sizeof(freshet_workload)"));
    assert_int_equal(freshet_expect(&rates, f, NULL, &err),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "workload is NULL"));

    /* Nowhere to write to would otherwise look like success. */
    options.size = sizeof options;
    assert_int_equal(freshet_plan(&planned, &options, &err),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "sizeof(freshet_planned)"));
    assert_int_equal(freshet_plan(NULL, &options, &err), FRESHET_OK);
    workload.size = sizeof workload;
    rates.size = 0;
    assert_int_equal(freshet_expect(&rates, f, &workload, &err),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "sizeof(freshet_rates)"));
    assert_int_equal(freshet_expect_options(&rates, &options, &workload, &err),
                     FRESHET_ERR_ARGUMENT);
    rates.size = sizeof rates;
    options.memory = 1;
    assert_int_equal(freshet_expect_options(&rates, &options, &workload, &err),
                     FRESHET_ERR_BUDGET);
    freshet_free(f);
}

/* A caller compiled against a header that has one field more. */
static void unknown_fields_must_be_zero(void **state)
{
    struct {
        freshet_options known;
        char unknown[24];
    } newer = {.known = {.algorithm = "sbf", .memory = 4096}};
    freshet *f;

    (void)state;
    newer.known.size = sizeof newer;
    assert_int_equal(freshet_create(&f, &newer.known, NULL), FRESHET_OK);
    freshet_free(f);
    for (size_t i = 0; i < sizeof newer.unknown; i++) {
        newer.unknown[i] = 1;
        refused(&newer.known, FRESHET_ERR_ARGUMENT, "does not know");
        newer.unknown[i] = 0;
    }
}

/* A caller compiled against a header that has fewer fields, or more. */
static void out_structs_are_filled_to_their_size(void **state)
{
    struct {
        freshet_info known;
        char beyond[24];
    } out;
    freshet *f = make_filter(.algorithm = "sbf", .memory = 4096, .seed = 9);

    (void)state;
    for (size_t size = 0; size <= sizeof out; size++) {
        const unsigned char *bytes = (const unsigned char *)&out;

        memset(&out, 0xa5, sizeof out);
        out.known.size = size;
        freshet_get_info(f, &out.known);
        assert_int_equal(out.known.size, size);
        for (size_t i = size < 8 ? 8 : size; i < sizeof out; i++)
            assert_int_equal(bytes[i], 0xa5);
        if (size >= offsetof(freshet_info, memory))
            assert_int_equal(out.known.seed, 9);
        if (size == sizeof out)
            assert_int_equal(out.beyond[0] | out.beyond[23], 0);
    }
    freshet_free(f);
}

/* It would die of a signal if it did. */
static void a_brief_info_reads_no_cells(void **state)
{
    enum { BYTES = 1 << 16, PAGE = 4096 };
    freshet_options opt = {.size = sizeof opt,
                           .algorithm = "sbf",
                           .memory = BYTES,
                           .seed = 9};
    freshet_info info = {.size = offsetof(freshet_info, slots)};
    char *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    freshet *f;

    (void)state;
    assert_true(at != MAP_FAILED);
    assert_int_equal(freshet_create_at(&f, at, BYTES, &opt, NULL), FRESHET_OK);
    assert_int_equal(freshet_offer(f, "a", 1), FRESHET_NEW);
    assert_int_equal(mprotect(at + PAGE, BYTES - PAGE, PROT_NONE), 0);
    freshet_get_info(f, &info);
    assert_int_equal(info.seed, 9);
    assert_int_equal(info.fresh, 1);
    freshet_free(f);
    munmap(at, BYTES);
}

/* ---- The tables ------------------------------------------------------- */

static size_t words_in(const char *words)
{
    size_t n = 1;

    for (; *words; words++)
        n += *words == '|';
    return n;
}

static void every_parameter_has_sensible_limits(void **state)
{
    const freshet_algorithm *a;
    const freshet_parameter *p;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        for (size_t n = 0; (p = freshet_parameter_at(a, n)); n++) {
            assert_true(n < 12);
            assert_true(strlen(p->help) > 0);
            assert_null(strpbrk(p->name, "=, "));
            if (!(p->min <= p->fallback && p->fallback <= p->max))
                fail_msg("%s: %s starts out of range", a->name, p->name);
            if (p->words)
                assert_true(p->whole && p->min == 0 &&
                            p->max + 1 == (double)words_in(p->words));
        }
        assert_null(freshet_parameter_at(a, 12));
    }
    assert_null(freshet_algorithm_at(1000000));
}

static void every_status_has_its_text(void **state)
{
    (void)state;
    for (int status = 0; status >= FRESHET_ERR_HASH; status--)
        assert_string_not_equal(freshet_status_text(status), "unknown status");
    assert_string_equal(freshet_status_text(1), "unknown status");
    assert_string_equal(freshet_status_text(-1000), "unknown status");
    assert_string_equal(freshet_status_text(FRESHET_OK), "success");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_names_are_named),
        cmocka_unit_test(a_parameter_needs_a_value),
        cmocka_unit_test(a_word_must_be_one_of_those_there_are),
        cmocka_unit_test(only_plain_numbers_are_numbers),
        cmocka_unit_test(the_locale_changes_no_number),
        cmocka_unit_test(values_that_do_not_go_together_are_refused),
        cmocka_unit_test(ranges_are_kept),
        cmocka_unit_test(a_rate_lies_between_zero_and_one),
        cmocka_unit_test(the_least_rate_is_named_and_kept),
        cmocka_unit_test(names_in_messages_are_tamed),
        cmocka_unit_test(a_size_must_be_set),
        cmocka_unit_test(unknown_fields_must_be_zero),
        cmocka_unit_test(out_structs_are_filled_to_their_size),
        cmocka_unit_test(a_brief_info_reads_no_cells),
        cmocka_unit_test(every_parameter_has_sensible_limits),
        cmocka_unit_test(every_status_has_its_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
