/*
 * key_skip.c - keys without some fields and bytes at the front, as in uniq
 */
#include "blank.h"
#include "key_type.h"

static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    const struct key_settings *s = &key->settings;
    const char *at = record.at, *end = record.at + record.len;
    uint64_t left;

    (void)scratch;
    for (uint64_t n = s->skip_fields; n && at < end; n--) {
        while (at < end && is_blank(*at))
            at++;
        while (at < end && !is_blank(*at))
            at++;
    }
    left = (uint64_t)(end - at);
    at += left < s->skip_bytes ? left : s->skip_bytes;
    left = (uint64_t)(end - at);
    *out = (struct view){at, left < s->most_bytes ? left : s->most_bytes};
    return KEY_FOUND;
}

const struct key_type key_skip = {
    .words = "whole records",
    .extract = extract,
};
