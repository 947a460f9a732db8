/*
 * bench_spec.c - the algorithms to measure, and their parameters
 */
#include <stdlib.h>

#include "bench.h"

/* Settings other than the defaults that a full run measures too. */
static const char *const extras[] = {"pocket:choices=1"};
enum { EXTRAS = sizeof extras / sizeof *extras };

struct algorithm_spec *bench_specs_make(int argc, char **argv,
                                        const struct bench_args *args,
                                        size_t *n)
{
    struct algorithm_spec *specs;
    size_t known = 0;

    while (freshet_algorithm_at(known))
        known++;
    specs = calloc((size_t)argc + known + EXTRAS, sizeof *specs);
    *n = 0;
    if (!specs)
        return NULL;
    for (int i = 0; i < argc; i++)
        specs[(*n)++] = algorithm_spec_of(argv[i], true);
    if (*n == 0 && args->scaling)
        specs[(*n)++] = algorithm_spec_of("auto", true);
    if (*n == 0 && !args->limit) {
        for (size_t i = 0; i < known; i++)
            specs[(*n)++] =
                algorithm_spec_of(freshet_algorithm_at(i)->name, false);
        for (size_t i = 0; i < EXTRAS; i++)
            specs[(*n)++] = algorithm_spec_of(extras[i], false);
    }
    return specs;
}

static int plan_spec(const struct algorithm_spec *spec,
                     const struct bench_args *args, uint64_t memory,
                     freshet_error *err)
{
    freshet_options o = {
        .size = sizeof o,
        .algorithm = spec->algorithm,
        .params = spec->params,
        .memory = memory / args->threads,
        .false_drop_rate = args->error,
    };

    return freshet_plan(NULL, &o, err);
}

bool bench_specs_check(const struct algorithm_spec *specs, size_t n,
                       const struct bench_args *args, struct fault *why)
{
    freshet_error err;

    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < args->memory.n; m++)
            if (specs[i].named &&
                plan_spec(&specs[i], args, args->memory.value[m], &err) < 0) {
                fault_set(why, "%s: %s", specs[i].label, err.message);
                return false;
            }
    return true;
}
