/*
 * key_note.h - describes how keys were chosen, in text that is saved with the
 * filter
 *
 * A filter remembers hashes: with other keys it would call everything new.  So
 * a state file also says which part of a record was compared, by which rules
 * values became keys if those were changed since 0.1, how records end, and
 * which clock a window uses.  Each has a line:
 *
 *     keys --json .id -i
 *     rules 2
 *     records newline
 *     clock arrival
 *
 * The state of a partition of a topic also says where its messages come from
 * and go to, for which group, and up to which offsets the filter has decided:
 *
 *     from orders/3 by value
 *     to clean
 *     group billing
 *     place 1200 700 -1
 *
 * Bytes that are not printable ASCII, and %, are written as %HH.
 */
#ifndef KEY_NOTE_H
#define KEY_NOTE_H

#include "freshet.h"
#include "key.h"

enum { KEY_NOTE_MOST = 1 << 16 }; /* bytes of text */

/* The kinds of lines, in order. */
enum note {
    NOTE_KEYS,
    NOTE_RULES,
    NOTE_RECORDS,
    NOTE_CLOCK,
    NOTE_FROM,
    NOTE_TO,
    NOTE_GROUP,
    NOTE_PLACE,
    NOTE_KINDS
};

struct key_note {
    size_t len; /* 0: none */
    char text[KEY_NOTE_MOST + 1];
};

/* Return false if the text is too long to be saved. */
bool key_note_make(struct key_note *n, const struct key *key, char delimiter);
bool key_note_add(struct key_note *n, enum note kind, const char *text);

const char *key_note_name(enum note kind);

/* Returns the version of the rules by which keys were made, from 1 on; 0 if
   there is no note on keys. */
unsigned key_note_rules(const struct key_note *n);

/* Returns the text of a line; at is NULL if there is no line of that kind. */
struct view key_note_line(const struct key_note *n, enum note kind);

/*
 * Convert a note to and from the bytes of a file: a header, the text, and a
 * checksum with the filter's seed.  key_note_pack() returns their number.
 * key_note_unpack() accepts any bytes and returns how many belong to the note,
 * or 0 and sets *why if they are refused.
 */
enum { KEY_NOTE_BYTES = KEY_NOTE_MOST + 32 }; /* at most */
size_t key_note_pack(const struct key_note *n, const freshet *f,
                     char out[KEY_NOTE_BYTES]);
size_t key_note_unpack(struct key_note *n, const freshet *f, const char *at,
                       size_t len, struct fault *why);

#endif
