/*
 * test_system.c - what is asked of the system and the machine
 */
#include <fcntl.h>
#include <unistd.h>

#include "clock.h"
#include "harness.h"
#include "machine.h"
#include "system.h"

static void random_bytes_differ(void **state)
{
    uint64_t a = 0, b = 0;
    uint8_t bytes[64] = {0}, none[64] = {0};

    (void)state;
    assert_true(system_random_seed(&a) && system_random_seed(&b));
    assert_true(a != 0 && a != b);
    assert_true(system_random(bytes, sizeof bytes));
    assert_memory_not_equal(bytes, none, sizeof bytes);
}

static void the_last_byte_is_found(void **state)
{
    const char text[] = "a/b/c";

    (void)state;
    assert_ptr_equal(system_last_byte(text, '/', 5), text + 3);
    assert_ptr_equal(system_last_byte(text, '/', 3), text + 1);
    assert_null(system_last_byte(text, '/', 1));
}

/* Wishes: refused or not, nothing else changes. */
static void wishes_do_no_harm(void **state)
{
    char small[100] = "as it was";
    int fd = open("/dev/null", O_WRONLY);

    (void)state;
    system_want_huge_pages(small, sizeof small);
    assert_string_equal(small, "as it was");
    system_widen_pipe(fd);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

static void the_machine_is_there(void **state)
{
    struct machine m;

    (void)state;
    machine_read(&m);
    assert_true(m.cores >= 1 && m.cpu[0] && m.compiler[0]);
    assert_true(machine_threads() >= 1);
    assert_true(machine_memory() > 0 && machine_free_memory() > 0);
}

static void clocks_go_forward(void **state)
{
    uint64_t now = clock_now();
    double seconds = clock_seconds(), cpu = clock_cpu_seconds();

    (void)state;
    assert_true(clock_now() >= now && clock_seconds() >= seconds);
    assert_true(clock_cpu_seconds() >= cpu);
    assert_true(clock_wall() > UINT64_C(1700000000) * 1000000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_differ),
        cmocka_unit_test(the_last_byte_is_found),
        cmocka_unit_test(wishes_do_no_harm),
        cmocka_unit_test(the_machine_is_there),
        cmocka_unit_test(clocks_go_forward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
