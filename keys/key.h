/*
 * key.h - which part of a record is its key
 *
 * A key is a view: into the record where it stands there as it is, else into
 * scratch memory that is good until the next record's key.
 */
#ifndef KEY_H
#define KEY_H

#include "key_type.h"

/*
 * Compile the key that an option's text describes: "json", ".user.id".  With
 * option NULL it is the whole record, or what the settings leave of it.
 * Returns NULL and a reason if there is an error in the text.
 */
struct key *key_create(const char *option, const char *text,
                       const struct key_settings *settings, struct fault *why);

/* Accepts NULL. */
void key_free(struct key *key);

/* Returns the same key for another thread, or NULL if there is no memory.  It
   is freed before the first one is. */
struct key *key_clone(const struct key *key);

/*
 * Returns the key for records below this header, which tells where columns
 * that have names are; or NULL and a reason.  It is freed before the first one
 * is.  Call it for each file where key->wants_header.
 */
struct key *key_with_header(const struct key *key, struct view header,
                            struct fault *why);

/* Returns whether every record is its own key, byte for byte. */
bool key_is_whole_record(const struct key *key);

/*
 * Set *out to the key of a record.  If a part is missing the key is made
 * nevertheless, so that the caller may compare records without that part.
 */
enum key_result key_of(const struct key *key, struct view record,
                       struct key_scratch *scratch, struct view *out);

/* Set *out to the text of the first part that is not missing, decoded but not
   folded to lower case: for times. */
enum key_result key_first_value(const struct key *key, struct view record,
                                struct key_scratch *scratch, struct view *out);

#endif
