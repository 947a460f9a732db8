/*
 * keyargs.h - the options that say which part of a record is its key
 */
#ifndef KEYARGS_H
#define KEYARGS_H

#include "key.h"

struct key_args {
    uint64_t skip_fields, skip_chars;
    uint64_t check_chars; /* UINT64_MAX if not given */
    bool ignore_case, crlf;
    int separator; /* -1 if none */
    const char *fields, *csv, *json, *regex, *exclude;
    const char *time; /* also for eventtime_take() */
};

/* CLI_GO, or the status to exit with.  The spec is to be freed in any case. */
int key_take(struct key_spec *key, const struct key_args *args);

#endif
