/*
 * internal_planning_steps.c - planning takes a bounded number of steps
 *
 * Nearly all of its time goes into functions of libm.  They are counted here
 * (CMakeLists.txt wraps them), so that nothing depends on the machine's speed.
 * At 10 to 20 ns a call the limit is 15 to 30 ms; planning may take 50 ms for
 * any options.
 */
#include "harness.h"

enum { MOST_CALLS = 1500000 };

static uint64_t calls;

#define COUNTED(name)                                                          \
    double __real_##name(double x);                                            \
    double __wrap_##name(double x);                                            \
    double __wrap_##name(double x)                                             \
    {                                                                          \
        calls++;                                                               \
        return __real_##name(x);                                               \
    }
COUNTED(exp)
COUNTED(exp2)
COUNTED(expm1)
COUNTED(log)
COUNTED(log1p)

double __real_pow(double x, double y);
double __wrap_pow(double x, double y);
double __wrap_pow(double x, double y)
{
    calls++;
    return __real_pow(x, y);
}

double __real_lgamma_r(double x, int *sign);
double __wrap_lgamma_r(double x, int *sign);
double __wrap_lgamma_r(double x, int *sign)
{
    calls++;
    return __real_lgamma_r(x, sign);
}

static void assert_few_steps(const freshet_options *o)
{
    freshet_planned planned = {.size = sizeof planned};

    calls = 0;
    if (freshet_plan(&planned, o, NULL) < 0)
        return; /* refused: there is nothing to plan */
    if (calls > MOST_CALLS)
        fail_msg("%g calls for %s, goal %u, %g bytes, %g keys, rate %g",
                 (double)calls, planned.algorithm, o->goal, (double)o->memory,
                 (double)o->expect, o->false_drop_rate);
}

/* Memory and keys from the least to the most, in steps of their own. */
static void try_sizes(freshet_options o)
{
    for (o.memory = 448; o.memory <= UINT64_C(1) << 48; o.memory *= 19)
        for (o.expect = 1; o.expect <= UINT64_C(1) << 48; o.expect *= 13)
            assert_few_steps(&o);
}

static void every_goal_is_planned_in_few_steps(void **state)
{
    const double rates[] = {0x1p-60, 1e-6, 0.5, 0.999999};

    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (unsigned goal = 0; goal <= FRESHET_GOAL_FEWEST; goal++)
            try_sizes((freshet_options){.size = sizeof(freshet_options),
                                        .false_drop_rate = rates[i],
                                        .goal = goal});
}

/* As many keys as bytes: neither all fit nor all are lost. */
static void keys_that_nearly_fit_are_planned_in_few_steps(void **state)
{
    (void)state;
    for (uint64_t n = 1000; n <= 1000000; n = n * 3 / 2)
        for (uint64_t per = 1; per <= 64; per *= 2)
            assert_few_steps(OPTIONS(.memory = n * per / 8 + 1000, .expect = n,
                                     .goal = FRESHET_GOAL_FEWEST));
    assert_few_steps(OPTIONS(.memory = 65535, .expect = 65535,
                             .goal = FRESHET_GOAL_FEWEST,
                             .false_drop_rate = 0x1p-60));
}

static void every_algorithm_is_planned_in_few_steps(void **state)
{
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        for (double rate = 0x1p-60; rate < 1; rate *= 100) {
            freshet_options o = {.size = sizeof o,
                                 .algorithm = a->name,
                                 .memory = 65535,
                                 .false_drop_rate = rate};

            assert_few_steps(&o);
            o.expect = 65535;
            assert_few_steps(&o);
            if (!(a->can & FRESHET_CAN_WINDOW))
                continue;
            for (o.window = 1; o.window < UINT64_C(1) << 48; o.window *= 99)
                assert_few_steps(&o);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_goal_is_planned_in_few_steps),
        cmocka_unit_test(keys_that_nearly_fit_are_planned_in_few_steps),
        cmocka_unit_test(every_algorithm_is_planned_in_few_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
