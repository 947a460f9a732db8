/*
 * test_state.c - saved filters: their locks and their clocks
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "check.h"
#include "state.h"

int __wrap_flock(int fd, int operation);

static int lock_error; /* of flock(); 0: it locks */

int __wrap_flock(int fd, int operation)
{
    (void)fd, (void)operation;
    errno = lock_error;
    return lock_error ? -1 : 0;
}

/* A new directory, and a name in it. */
static void make_path(char path[64])
{
    char directory[] = "/tmp/freshet-test-XXXXXX";

    assert_non_null(mkdtemp(directory));
    snprintf(path, 64, "%s/s", directory);
}

static void remove_path(char path[64])
{
    unlink(path);
    path[strlen(path) - 2] = '\0';
    assert_int_equal(rmdir(path), 0);
}

static void a_lock_that_cannot_be_had_says_why(void **state)
{
    static const struct {
        int error;
        const char *why;
    } all[] = {
        {EWOULDBLOCK, "another freshet is using it"},
        {ENOLCK, "the file system cannot lock it: No locks available; keep "
                 "the state on a local disk"},
        {EOPNOTSUPP, "the file system cannot lock it: "},
    };
    static struct state s;
    struct goal_args args = {.prefer = PREFER_NONE};
    struct fault why;
    char path[64];

    (void)state;
    make_path(path);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char lock[80];

        s = (struct state){.path = path, .lock = -1};
        lock_error = all[i].error;
        assert_false(state_open(&s, &args, 1, &why));
        assert_contains(why.text, path);
        assert_contains(why.text, all[i].why);
        state_close(&s);
        snprintf(lock, sizeof lock, "%s.lock", path);
        assert_int_equal(unlink(lock), 0);
    }
    lock_error = 0;
    remove_path(path);
}

/* A filter whose clock shows a time is saved, and loaded again. */
static void save_at(struct state *s, const char *path, uint64_t now)
{
    freshet_options o = {.size = sizeof o,
                         .memory = 1 << 16,
                         .within = 1000,
                         .seed = 1};
    struct goal_args args = {.prefer = PREFER_NONE};
    freshet *f;

    *s = (struct state){.path = path, .lock = -1};
    assert_true(state_open(s, &args, 1, NULL));
    assert_int_equal(freshet_create(&f, &o, NULL), FRESHET_OK);
    freshet_tick(f, now);
    state_hold(s, f, NULL);
    assert_true(state_save(s, NULL));
    freshet_free(f);
    state_close(s);
    *s = (struct state){.path = path, .lock = -1};
    assert_true(state_open(s, &args, 1, NULL));
}

static void a_clock_that_is_ahead_is_refused(void **state)
{
    static const uint64_t noon = UINT64_C(4102488000000000000);
    static struct state s;
    struct fault why;
    uint64_t now = 7;
    char path[64];

    (void)state;
    make_path(path);
    assert_true(state_clock(&s, 0, &now, &why));
    assert_int_equal(now, 0);
    save_at(&s, path, noon);
    assert_true(state_clock(&s, noon, &now, &why));
    assert_int_equal(now, noon);
    assert_false(state_clock(&s, noon - 1, &now, &why));
    assert_contains(why.text, path);
    assert_contains(why.text, "2100-01-01T12:00:00Z");
    state_close(&s);
    remove_path(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_that_cannot_be_had_says_why),
        cmocka_unit_test(a_clock_that_is_ahead_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
