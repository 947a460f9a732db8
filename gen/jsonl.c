/*
 * jsonl.c - lines of JSON, 198 bytes each
 */
#include <string.h>

#include "decimal.h"
#include "dice.h"
#include "planted.h"
#include "record.h"

/* The gaps, by the column where each begins.  No number begins with a zero. */
static const char line[] =
    "{\"time\":\"2026-11-15T00:00:00.000Z\",\"level\":\"info\",\"host\":"
    "\"web-00.example.com\",\"method\":\"GET\",\"path\":\"/items/0000000\","
    "\"status\":200,\"bytes\":1000000,\"user\":\"u00000\",\"took\":100,"
    "\"id\":\"0000000000000000\"}\n";
enum {
    TIME = 9,
    HOST = 62,
    ITEM = 108,
    BYTES = 139,
    USER = 155,
    TOOK = 170,
    ID = 179,
};

static size_t text(char *out, uint64_t key)
{
    struct record r;

    record_of(&r, key);
    memcpy(out, line, sizeof line - 1);
    memcpy(out + TIME, r.time, sizeof r.time);
    memcpy(out + ID, r.id, sizeof r.id);
    decimal_fixed(out + HOST, dice_below(r.random, 100), 2);
    decimal_fixed(out + USER, dice_below(r.random << 7, 100000), 5);
    decimal_fixed(out + ITEM, dice_below(r.random << 24, 10000000), 7);
    decimal_fixed(out + TOOK, dice_below(r.random << 51, 100), 2);
    decimal_fixed(out + BYTES, dice_below(r.random << 44, 1000000), 6);
    return sizeof line - 1;
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
