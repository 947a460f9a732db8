/*
 * endless.c - every key is new, but for repeats planted at chosen gaps
 *
 * What a filter forgets, and when, shows as false passes by the gap.
 */
#include "planted.h"

const struct gen_kind gen_endless = {
    .name = "endless",
    .summary = "new keys only, but for repeats planted at chosen gaps",
    .takes = "repeats gap shape least",
    .size = sizeof(struct planted),
    .start = planted_start,
    .next = planted_next,
};
