/*
 * key_describe.h - describes how a key is chosen
 */
#ifndef KEY_DESCRIBE_H
#define KEY_DESCRIBE_H

#include "key.h"

/*
 * Writes the options that choose a key: "--csv id,name -i".  Bytes that are not
 * printable ASCII, and %, are written as %HH.  At most size bytes are written,
 * the last one a zero.  Returns the length of the whole text.
 */
size_t key_describe_options(const struct key *key, char *out, size_t size);

/* Writes it in words: "columns id,name, case ignored".  A long list is cut.
   Returns the length of the whole text. */
size_t key_describe_words(const struct key *key, char *out, size_t size);

#endif
