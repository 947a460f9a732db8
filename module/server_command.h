/*
 * server_command.h - what the commands share: tables, the filter at a key, the
 * time
 */
#ifndef SERVER_COMMAND_H
#define SERVER_COMMAND_H

#include <stdbool.h>

#include "api.h"
#include "filter_value.h"

/* What a command does with its key, which is the first argument. */
enum command_key {
    KEY_NONE, /* there is no key */
    KEY_READ,
    KEY_WRITE, /* the answer does not depend on the key's value */
    KEY_BOTH,
    KEY_AND_SOURCES /* the arguments that follow are keys that it reads */
};

/* A row of a table of commands; tables end at a NULL name. */
struct command {
    const char *name;
    rm_run *run;
    const char *flags; /* as the server spells them */
    enum command_key key;
    int arity;              /* words, the name included; -n: n or more */
    const char *syntax;     /* the arguments: command_docs.h */
    const char *complexity; /* for COMMAND DOCS, as are the next two */
    const char *summary;
    const char *changed; /* what changed in 0.2.0; NULL: nothing */
};

extern const struct command commands_filters[], commands_items[],
    commands_hashes[], commands_dumps[];
extern const struct command commands_bf_filters[], commands_bf_items[],
    commands_bf_dumps[];

/* The filter at a key; value is NULL if there is no key. */
struct place {
    rm_ctx *ctx;
    rm_string *name;
    rm_key *key; /* NULL: not open, or opened for reading and not there */
    struct value *value;
};

/* Returns false, after answering with an error, if the key is of another
   type. */
bool place_open(struct place *p, rm_ctx *ctx, rm_string *name, int mode);

/* The same; a key without a filter is an error, too. */
bool place_need(struct place *p, rm_ctx *ctx, rm_string *name, int mode);

/* Sets the key to a value and frees the one it had. */
void place_set(struct place *p, struct value *value);
void place_close(struct place *p);

/*
 * Tells a filter with a time window the time, and replicates that to replicas
 * and the AOF as a command of its own.  A server that runs replicated or logged
 * commands does not read its clock.
 */
void place_tick(struct place *p);

/* To be called after a write: replicates the command and publishes the
   keyspace event. */
void place_wrote(struct place *p, const char *event);

/* Returns whether the command was replicated by a primary or is loaded from
   an AOF. */
bool command_is_echo(rm_ctx *ctx);

/* Parses a whole number from 0 to 2^63 - 1.  Returns false if it is none. */
bool command_count(uint64_t *count, rm_string *text);

/* Ticks of a filter, which are nanoseconds, in a millisecond, the unit of
   commands. */
#define COMMAND_TICKS UINT64_C(1000000)

#endif
