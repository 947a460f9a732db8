/*
 * csv.c - rows of CSV, 198 bytes each, with commas and quotes inside fields
 */
#include <string.h>

#include "decimal.h"
#include "dice.h"
#include "planted.h"
#include "record.h"

/* The gaps, by the column where each begins. */
static const char line[] =
    "2026-11-15T00:00:00.000Z,info,web-00.example.com,GET,/items/0000000,200,"
    "000000,u00000,\"took 00 ms, said \"\"done\"\"\",\"Mozilla/5.0 (X11; Linux "
    "x86_64; rv:128.0) Gecko/20100101 Firefox\",0000000000000000\n";
enum {
    TIME = 0,
    HOST = 34,
    ITEM = 60,
    BYTES = 72,
    USER = 80,
    TOOK = 92,
    ID = 181,
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

const struct gen_kind gen_csv = {
    .name = "csv",
    .summary = "rows of CSV without a header, with planted repeats",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = planted_start,
    .next = planted_next,
    .text = text,
};
