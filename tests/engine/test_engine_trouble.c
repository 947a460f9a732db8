/*
 * test_engine_trouble.c - output that fails, and no memory or threads
 */
#include "engine_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>

/* How many more allocations and threads are granted; below 0: any number. */
static int grants = -1;

static bool is_granted(void)
{
    if (grants > 0)
        grants--;
    return grants != 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

void *__wrap_malloc(size_t size)
{
    return is_granted() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_granted() ? __real_calloc(n, size) : NULL;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg)
{
    return is_granted() ? __real_pthread_create(thread, attributes, start, arg)
                        : EAGAIN;
}

static void output_trouble_ends_it(void **state)
{
    const struct wish wish = {.name = "full", .line = plain};
    struct run r;
    struct pipeline *p = &r.pipeline;
    unsigned calls = 0;
    int said = memory_file(), stderr_fd = dup(STDERR_FILENO), full;
    enum pipeline_result result;
    size_t len;
    char *text;

    (void)state;
    set_up(&r, &wish, 64, 3);
    p->context = &calls;
    full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0 && dup2(full, p->out.fd) >= 0);
    close(full);
    dup2(said, STDERR_FILENO);
    result = run_files(p, &wish);
    dup2(stderr_fd, STDERR_FILENO);
    close(stderr_fd);
    assert_int_equal(result, PIPELINE_OUTPUT);
    text = all_of(said, &len);
    assert_string_equal(text, "out: No space left on device\n");
    free(text);
    tear_down(&r);
}

/* Once, before the first read. */
static bool grant(void *context)
{
    int *more = context;

    if (*more >= 0)
        grants = *more;
    *more = -1;
    return true;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* One file; whether it was done by a team. */
static bool run_granted(char **out, size_t *len, const struct wish *wish,
                        int more)
{
    int fd = input_of(wish, 0);
    struct run r;
    struct pipeline *p = &r.pipeline;
    char name[64];
    bool team;

    set_up(&r, wish, 64, more < 0 ? 1 : 2);
    p->in.as_is = true;
    p->between = grant;
    p->pressing = never;
    p->context = &more;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_int_equal(pipeline_file(p, name), PIPELINE_DONE);
    grants = -1;
    team = p->team;
    *out = all_of(p->out.fd, len);
    tear_down(&r);
    close(fd);
    return team;
}

static void without_memory_or_threads_for_a_team_one_does_it_alone(void **state)
{
    const struct wish wish = {.name = "alone", .line = zeros};
    char *alone, *out;
    size_t alone_len, len;
    bool team = false;

    (void)state;
    assert_false(run_granted(&alone, &alone_len, &wish, -1));
    for (int more = 1; !team; more++) {
        assert_true(more < 1000);
        team = run_granted(&out, &len, &wish, more);
        assert_int_equal(len, alone_len);
        assert_memory_equal(out, alone, len);
        free(out);
    }
    free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_trouble_ends_it),
        cmocka_unit_test(
            without_memory_or_threads_for_a_team_one_does_it_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
