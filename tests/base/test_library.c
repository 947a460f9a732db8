/*
 * test_library.c - libraries that are loaded when they are needed
 */
#include <math.h>

#include "check.h"
#include "library.h"

static double no_such_function(double x)
{
    return x;
}

#define FUNCTIONS(F) F(cbrt) F(hypot)
LIBRARY(libm, "libm.so.6", "libc6", FUNCTIONS)
LIBRARY(absent, "libfreshet-no-such.so.1", "libnosuch1", FUNCTIONS)
#define MORE_FUNCTIONS(F) F(cbrt) F(no_such_function)
LIBRARY(older, "libm.so.6", "libc6", MORE_FUNCTIONS)

static void functions_are_found_by_name(void **state)
{
    struct fault why = {""};

    (void)state;
    assert_null(libm.cbrt);
    assert_true(library_load(&libm_library, "a root", &why));
    assert_true(library_load(&libm_library, "a root", &why));
    assert_string_equal(why.text, "");
    assert_float_equal(libm.cbrt(27), 3, 1e-12);
    assert_float_equal(libm.hypot(3, 4), 5, 1e-12);
}

static void an_absent_library_is_named_with_its_package(void **state)
{
    struct fault why = {""};

    (void)state;
    assert_false(library_load(&absent_library, "a root", &why));
    assert_contains(why.text, "a root needs a library, which Debian's package "
                              "libnosuch1 contains");
    assert_contains(why.text, "libfreshet-no-such.so.1");
}

static void a_missing_function_is_named(void **state)
{
    struct fault why = {""};

    (void)state;
    assert_float_equal(no_such_function(1), 1, 0);
    assert_false(library_load(&older_library, "a root", &why));
    assert_contains(why.text, "with the function no_such_function; install");
    assert_false(older_library.loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_name),
        cmocka_unit_test(an_absent_library_is_named_with_its_package),
        cmocka_unit_test(a_missing_function_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
