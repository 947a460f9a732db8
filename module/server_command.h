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
    KEY_WRITE, /* it tells nothing about what is there */
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
    const char *changed; /* in 0.2.0; NULL: nothing was */
};

extern const struct command commands_filters[], commands_items[],
    commands_hashes[], commands_dumps[];
extern const struct command commands_bf_filters[], commands_bf_items[],
    commands_bf_dumps[];

/* The filter at a key; value is NULL where there is no key. */
struct place {
    rm_ctx *ctx;
    rm_string *name;
    rm_key *key; /* NULL: not open; and reading, where there is no key */
    struct value *value;
};

/* False after having answered: the key is of another type. */
bool place_open(struct place *p, rm_ctx *ctx, rm_string *name, int mode);

/* The same, and answers with an error if there is no filter. */
bool place_need(struct place *p, rm_ctx *ctx, rm_string *name, int mode);

/* Put a value there, in place of any other. */
void place_set(struct place *p, struct value *value);
void place_close(struct place *p);

/*
 * A filter with a time window learns the time, and so do replicas and the AOF,
 * by a command of its own.  Whoever runs what was replicated or logged never
 * looks at a clock.
 */
void place_tick(struct place *p);

/* After a write: replicate the command and tell who listens to the key. */
void place_wrote(struct place *p, const char *event);

/* Was this command replicated or logged by another server? */
bool command_is_echo(rm_ctx *ctx);

/* A whole number from 0 to 2^63 - 1 in an argument. */
bool command_count(uint64_t *count, rm_string *text);

/* Nanoseconds, a filter's ticks, in the milliseconds of commands. */
#define COMMAND_TICKS UINT64_C(1000000)

#endif
