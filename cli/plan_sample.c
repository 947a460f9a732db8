/*
 * plan_sample.c - what filters would do on more of a sample
 */
#include "plan_sample.h"
#include "command.h"

#include <inttypes.h>

int plan_sample_open(struct plan_sample *s, const char *name,
                     const struct key_args *key,
                     const struct record_args *record)
{
    struct input_keys_form form = {.as_is = record->decompress != 0};
    int status = key_take(&form.key, key);

    if (status == CLI_GO)
        status = record_take(&form.delimiter, record, key, form.key);
    if (status == CLI_GO)
        form.max_record = record_limit(record, form.key);
    if (status == CLI_GO)
        status = input_keys_read(&s->recording, &form, name, 1);
    if (status == CLI_GO && s->recording.left_out)
        cli_fail("warning: records without a key, left out: %" PRIu64,
                 s->recording.left_out);
    key_free(form.key);
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
