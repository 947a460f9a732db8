/*
 * record.h - realistic records of text, each made of its key alone
 *
 * A record is a template with gaps for what differs.  One of the gaps is an id
 * of 16 hexadecimal digits, another for each key: so are the records.
 */
#ifndef GEN_RECORD_H
#define GEN_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum { RECORD_GAPS = 5 };

struct record_form {
    const char *line; /* with its newline */
    size_t len;
    size_t time; /* where 2026-11-15T00:00:00.000Z begins, a ms per key */
    size_t id;   /* where the id begins */
    struct {
        size_t at;
        unsigned digits; /* decimal; 0: no more gaps */
        unsigned shift;  /* of the key's random number, for these */
    } gap[RECORD_GAPS];
};

/* The record of a key; its length. */
size_t record_text(char *out, const struct record_form *form, uint64_t key);

#endif
