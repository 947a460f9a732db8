/*
 * record.h - realistic text records, each computed from its key alone
 *
 * A record is a template with gaps.  One of the gaps is an id of 16 hexadecimal
 * digits that is different for each key, so that different keys have different
 * records.
 */
#ifndef GEN_RECORD_H
#define GEN_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum { RECORD_GAPS = 5 };

struct record_form {
    const char *line; /* with its newline */
    size_t len;
    size_t time; /* of the time, 2026-11-15T00:00:00.000Z plus key ms */
    size_t id;   /* where the id begins */
    struct {
        size_t at;
        unsigned digits; /* decimal; 0: no more gaps */
        unsigned shift;  /* shift of the key's random number for this gap */
    } gap[RECORD_GAPS];
};

/* Writes the record of a key and returns its length. */
size_t record_text(char *out, const struct record_form *form, uint64_t key);

#endif
