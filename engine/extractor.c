/*
 * extractor.c - how records are split and what is extracted from each
 */
#include "extractor.h"

void extractor_set_framing(struct extractor *x, char delimiter, uint64_t most)
{
    x->framing = (struct framing){.csv = x->key->type->csv_records,
                                  .delimiter = delimiter,
                                  .separator = key_csv_separator(x->key),
                                  .most = most};
}

bool extractor_wants_columns(const struct extractor *x)
{
    return x->key->wants_header || (x->time.key && x->time.key->wants_header);
}

bool extractor_clone(struct extractor *to, const struct extractor *x)
{
    bool time;

    *to = *x;
    to->key = key_clone(x->key);
    time = event_time_clone(&to->time, &x->time);
    return to->key && time;
}

bool extractor_with_header(struct extractor *to, const struct extractor *x,
                           struct view header, struct fault *why)
{
    *to = *x;
    to->time = (struct event_time){0};
    to->key = key_with_header(x->key, header, why);
    return to->key && event_time_with_header(&to->time, &x->time, header, why);
}

void extractor_free(struct extractor *x)
{
    key_free(x->key);
    event_time_free(&x->time);
    x->key = NULL;
    x->time = (struct event_time){0};
}
