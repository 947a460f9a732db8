/*
 * plan_sample.c - what filters would do on more of a sample
 */
#include "plan_sample.h"
#include "key_input.h"

int plan_sample_open(struct plan_sample *s, const char *name,
                     const struct key_args *key,
                     const struct record_args *record)
{
    struct key_input *in;
    int status = key_input_take(&in, key, record);

    if (status == CLI_GO)
        status = key_input_read(&s->recording, in, name, 1);
    key_input_free(in);
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
