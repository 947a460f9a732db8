/*
 * key_record.c - the whole record is its key
 */
#include "key_type.h"

static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    (void)key;
    (void)scratch;
    *out = record;
    return KEY_FOUND;
}

const struct key_type key_record = {
    .words = "whole records",
    .extract = extract,
};
