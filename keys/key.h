/*
 * key.h - extracts the key of a record
 *
 * A key is a view into the record if the record contains it unchanged, else
 * into scratch memory that is valid until the key of the next record.
 */
#ifndef KEY_H
#define KEY_H

#include "key_type.h"

/*
 * Compiles the key that an option and its text describe, such as "json" and
 * ".user.id".  If option is NULL it is the whole record, or what the settings
 * leave of it.  Returns NULL and sets *why if there is an error in the text.
 */
struct key *key_create(const char *option, const char *text,
                       const struct key_settings *settings, struct fault *why);

/* Accepts NULL. */
void key_free(struct key *key);

/* Returns the same key for another thread, or NULL if there is no memory.  Free
   it before the first one. */
struct key *key_clone(const struct key *key);

/*
 * Returns the key for records below this header, in which named columns are
 * found; or NULL and sets *why.  Free it before the first one.  Call it for
 * each file if key->wants_header.
 */
struct key *key_with_header(const struct key *key, struct view header,
                            struct fault *why);

/* Returns whether every record is its own key, byte for byte. */
bool key_is_whole_record(const struct key *key);

/*
 * Sets *out to the key of a record.  If a part is missing the key is made
 * nevertheless, so that the caller may compare records without that part.
 */
enum key_result key_of(const struct key *key, struct view record,
                       struct key_scratch *scratch, struct view *out);

/* Sets *out to the text of the first part that is not missing, decoded but not
   folded to lower case: for times. */
enum key_result key_first_value(const struct key *key, struct view record,
                                struct key_scratch *scratch, struct view *out);

#endif
