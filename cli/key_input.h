/*
 * key_input.h - reads the keys of a user's file, for commands that measure on
 * it
 */
#ifndef KEY_INPUT_H
#define KEY_INPUT_H

#include "input_keys.h"
#include "key_options.h"

/* How a file is split into records and keys. */
struct key_input;

/* Creates it from the options.  Returns CLI_GO, or the status to exit with; to
   be freed in any case. */
int key_input_create(struct key_input **in, const struct key_args *key,
                     const struct record_args *record);
void key_input_free(struct key_input *in);

const struct key *key_input_key(const struct key_input *in);

/*
 * Reads the file, and reports records that were left out.  Returns CLI_GO, or
 * CLI_TROUBLE after a message; to be freed with input_keys_free() in any case.
 */
int key_input_read(struct input_keys *to, const struct key_input *in,
                   const char *name, uint64_t seed);

#endif
