/*
 * gen_csv.c - rows of CSV, 198 bytes each, with commas and quotes inside fields
 */
#include "planted.h"
#include "record.h"

/* The gaps, by columns: host, user, item, duration, bytes. */
static const char line[] =
    "2026-11-15T00:00:00.000Z,info,web-00.example.com,GET,/items/0000000,200,"
    "000000,u00000,\"took 00 ms, said \"\"done\"\"\",\"Mozilla/5.0 (X11; Linux "
    "x86_64; rv:128.0) Gecko/20100101 Firefox\",0000000000000000\n";
static const struct record_form form = {
    .line = line,
    .len = sizeof line - 1,
    .time = 0,
    .id = 181,
    .gap = {{34, 2, 0}, {80, 5, 7}, {60, 7, 24}, {92, 2, 51}, {72, 6, 44}},
};

static size_t text(char *out, uint64_t key)
{
    return record_text(out, &form, key);
}

const struct gen_kind gen_csv = {
    .name = "csv",
    .summary = "rows of CSV without a header, with planted repeats",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = planted_start,
    .next = planted_next,
    .text = text,
};
