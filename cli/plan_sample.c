/*
 * plan_sample.c - measures filters on a sample of a stream
 */
#include "plan_sample.h"
#include "key_input.h"

int plan_sample_open(struct plan_sample *s, const char *name,
                     const struct key_args *key,
                     const struct record_args *record)
{
    struct key_input *in;
    int status = key_input_create(&in, key, record);

    if (status == CLI_GO)
        status = key_input_read(&s->recording, in, name, 1);
    key_input_free(in);
    if (status == CLI_GO && !gap_counts_make(&s->gaps, &s->recording))
        status = cli_fail("out of memory");
    return status;
}

bool plan_sample_rates(struct plan_sample *s, const freshet_options *options,
                       struct extrapolation *out, struct fault *why)
{
    uint64_t n = classes_for(options->memory);

    if (n != s->classes.n) {
        classes_free(&s->classes);
        if (!classes_make(&s->classes, &s->recording, n)) {
            fault_set(why, "out of memory");
            return false;
        }
    }
    return extrapolate(out, &s->classes, options, why);
}

void plan_sample_close(struct plan_sample *s)
{
    classes_free(&s->classes);
    input_keys_free(&s->recording);
}
