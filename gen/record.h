/*
 * record.h - realistic records of text, each made of its key alone
 *
 * A record is a template with gaps for what differs.  One of the gaps is an id
 * of 16 hexadecimal digits, another for each key: so are the records.
 */
#ifndef GEN_RECORD_H
#define GEN_RECORD_H

#include <stdint.h>

/* What there is to tell about the event that a key stands for. */
struct record {
    char time[24]; /* 2026-11-15T00:00:00.000Z, one millisecond per key */
    char id[16];
    uint64_t random;
};

void record_of(struct record *r, uint64_t key);

#endif
