/*
 * endless.c - new keys, with repeats planted at chosen gaps
 *
 * The false passes by gap show what a filter forgets, and when.
 */
#include "planted.h"

const struct gen_kind gen_endless = {
    .name = "endless",
    .summary = "new keys, with repeats planted at chosen gaps",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = planted_start,
    .next = planted_next,
};
