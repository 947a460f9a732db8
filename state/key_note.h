/*
 * key_note.h - how keys were taken, in words that are saved with the filter
 *
 * A filter remembers hashes: asked with other keys it would call everything
 * new.  So a state file also says which part of a record was compared, how
 * records end, and whose clock a window goes by.  A line for each:
 *
 *     keys --csv id,name -i
 *     records newline
 *     clock arrival
 *
 * Bytes that are not printable ASCII, and %, are written as %HH.
 */
#ifndef KEY_NOTE_H
#define KEY_NOTE_H

#include "freshet.h"
#include "key_options.h"

enum { NOTES_MOST = 1 << 16 }; /* bytes of text */

/* The kinds of lines, in their order. */
enum note { NOTE_KEYS, NOTE_RECORDS, NOTE_CLOCK, NOTE_KINDS };

struct notes {
    size_t len; /* 0: none */
    char text[NOTES_MOST + 1];
};

/* False: too long to be saved. */
bool notes_make(struct notes *n, const struct key_spec *key,
                const struct key_args *args, char delimiter);
bool notes_add(struct notes *n, enum note kind, const char *text);

const char *notes_name(enum note kind);

/* What a line says; at is NULL if there is none of that kind. */
struct view notes_line(const struct notes *n, enum note kind);

/*
 * As bytes of a file: a header, the text, a checksum by the filter's seed.
 * Bytes from anywhere are read or refused: how many they are, or a status,
 * explained in err.
 */
enum { NOTES_BYTES = NOTES_MOST + 32 }; /* at most */
size_t notes_pack(const struct notes *n, const freshet *f,
                  char out[NOTES_BYTES]);
long notes_unpack(struct notes *n, const freshet *f, const char *at, size_t len,
                  freshet_error *err);

#endif
