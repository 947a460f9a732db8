/*
 * key_input.c - reads the keys of a user's file, for commands that measure on
 * it
 */
#include "key_input.h"

#include <inttypes.h>
#include <stdlib.h>

#include "extractor.h"
#include "status_line.h"

struct key_input {
    struct extractor extractor;
    bool as_is; /* do not decompress */
};

static void report_progress(const char *name, uint64_t records)
{
    status_line_show("%s: %" PRIu64 " records read", name, records);
}

int key_input_create(struct key_input **in, const struct key_args *key,
                     const struct record_args *record)
{
    struct extractor *x;
    char delimiter;
    int status;

    *in = calloc(1, sizeof **in);
    if (!*in)
        return cli_fail("out of memory");
    (*in)->as_is = record->decompress != 0;
    x = &(*in)->extractor;
    status = key_from_args(&x->key, key);
    if (status == CLI_GO)
        status = record_from_args(&delimiter, record, key, x->key);
    if (status == CLI_GO)
        extractor_set_framing(x, delimiter, record_limit(record, x->key));
    return status;
}

void key_input_free(struct key_input *in)
{
    if (in)
        extractor_free(&in->extractor);
    free(in);
}

const struct key *key_input_key(const struct key_input *in)
{
    return in->extractor.key;
}

int key_input_read(struct input_keys *to, const struct key_input *in,
                   const char *name, uint64_t seed)
{
    const struct input_keys_form form = {.extractor = &in->extractor,
                                         .as_is = in->as_is,
                                         .progress = report_progress};
    struct fault why;
    bool done = input_keys_read(to, &form, name, seed, &why);

    status_line_clear();
    if (!done)
        return cli_fail("%s", why.text);
    if (to->open_quote)
        cli_fail("warning: %s: the quote that opens in line %" PRIu64
                 " is never closed; all that follows it is one record",
                 name, to->open_quote);
    if (to->left_out)
        cli_fail("warning: records without a key, left out: %" PRIu64,
                 to->left_out);
    return CLI_GO;
}
