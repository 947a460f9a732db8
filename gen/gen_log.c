/*
 * gen_log.c - lines of a log, 94 bytes each
 */
#include "planted.h"
#include "record.h"

/* The gaps, by columns: host, process, item, duration. */
static const char line[] = "2026-11-15T00:00:00.000Z host000 app[00000]: "
                           "request 0000000000000000 /items/0000000 200 00ms\n";
static const struct record_form form = {
    .line = line,
    .len = sizeof line - 1,
    .time = 0,
    .id = 53,
    .gap = {{29, 3, 0}, {37, 5, 10}, {77, 7, 27}, {89, 2, 51}},
};

static size_t text(char *out, uint64_t key)
{
    return record_text(out, &form, key);
}

const struct gen_kind gen_log = {
    .name = "log",
    .summary = "lines of a log, with planted repeats",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = planted_start,
    .next = planted_next,
    .text = text,
};
