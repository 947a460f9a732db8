/*
 * log.c - lines of a log, 94 bytes each
 */
#include <string.h>

#include "decimal.h"
#include "dice.h"
#include "planted.h"
#include "record.h"

/* The gaps, by the column where each begins. */
static const char line[] = "2026-11-15T00:00:00.000Z host000 app[00000]: "
                           "request 0000000000000000 /items/0000000 200 00ms\n";
enum { TIME = 0, HOST = 29, PROCESS = 37, ID = 53, ITEM = 77, TOOK = 89 };

static size_t text(char *out, uint64_t key)
{
    struct record r;

    record_of(&r, key);
    memcpy(out, line, sizeof line - 1);
    memcpy(out + TIME, r.time, sizeof r.time);
    memcpy(out + ID, r.id, sizeof r.id);
    decimal_fixed(out + HOST, dice_below(r.random, 1000), 3);
    decimal_fixed(out + PROCESS, dice_below(r.random << 10, 100000), 5);
    decimal_fixed(out + ITEM, dice_below(r.random << 27, 10000000), 7);
    decimal_fixed(out + TOOK, dice_below(r.random << 51, 100), 2);
    return sizeof line - 1;
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
