/*
 * gen_jsonl.c - lines of JSON, 198 bytes each
 */
#include "planted.h"
#include "record.h"

/* The gaps, by columns: host, user, item, duration, bytes.  No number begins
   with a zero. */
static const char line[] =
    "{\"time\":\"2026-11-15T00:00:00.000Z\",\"level\":\"info\",\"host\":"
    "\"web-00.example.com\",\"method\":\"GET\",\"path\":\"/items/0000000\","
    "\"status\":200,\"bytes\":1000000,\"user\":\"u00000\",\"took\":100,"
    "\"id\":\"0000000000000000\"}\n";
static const struct record_form form = {
    .line = line,
    .len = sizeof line - 1,
    .time = 9,
    .id = 179,
    .gap = {{62, 2, 0}, {155, 5, 7}, {108, 7, 24}, {170, 2, 51}, {139, 6, 44}},
};

static size_t text(char *out, uint64_t key)
{
    return record_text(out, &form, key);
}

const struct gen_kind gen_jsonl = {
    .name = "jsonl",
    .summary = "lines of JSON, with planted repeats",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = planted_start,
    .next = planted_next,
    .text = text,
};
