/*
 * key_type.h - what a kind of key is
 *
 * One const struct per kind, in a file of its own; key.c lists them.  The
 * functions of a type are called through key.h alone.
 */
#ifndef KEY_TYPE_H
#define KEY_TYPE_H

#include <stdint.h>

#include "fault.h"
#include "key_scratch.h"

enum key_result {
    KEY_FOUND,
    KEY_MISSING,   /* a part is not there; its key differs from all others */
    KEY_MALFORMED, /* the record is not of the form it should be; no key */
    KEY_MEMORY     /* there is no memory for the key */
};

/* What is asked for beside the text that a kind of key is compiled from. */
struct key_settings {
    bool crlf;     /* a carriage return at the end is no part of the record */
    bool fold;     /* A to Z are a to z */
    int separator; /* of fields or columns; -1: the kind's own */
    uint64_t skip_fields, skip_bytes; /* at the front, as uniq does */
    uint64_t most_bytes;              /* compared; UINT64_MAX: all */
    const char *time; /* where the time stands, if it may be found on the way;
                         or NULL.  Read by key_create() alone. */
};

/* Nothing is asked for. */
#define KEY_SETTINGS                                                           \
    {                                                                          \
        .separator = -1, .most_bytes = UINT64_MAX                              \
    }

struct key_type;

/* A key that was compiled.  It is constant: threads may share it, or have
   clones where the type keeps working memory. */
struct key {
    const struct key_type *type;
    struct key_settings settings;
    char *text;        /* that it was compiled from; "" if there was none */
    void *compiled;    /* the type's own */
    size_t places;     /* in the list: fields, columns, paths; else 1 */
    unsigned rules;    /* by which values become keys: 1, or the number of a
                          change after which other bytes are compared */
    bool wants_header; /* key_with_header() must find its columns first */
    bool finds_time;   /* a record's time is left in the scratch */
    bool shares_text, shares_compiled; /* with a key that outlives this one */
};

/* The byte between the columns of records that end as CSV says. */
static inline char key_csv_separator(const struct key *key)
{
    return key->settings.separator < 0 ? ',' : (char)key->settings.separator;
}

struct key_type {
    const char *option;    /* that chooses it: "json"; or NULL */
    const char *words;     /* for people, before the text: "values" */
    const char *malformed; /* "is not JSON"; NULL if no record ever is */
    bool csv_records;      /* records end as CSV says */
    bool json_records;     /* a place in a record is a path */
    bool separated;        /* settings.separator matters */

    /* Of types with one option, the first that accepts the text is taken.
       NULL: any text. */
    bool (*accepts)(const char *text);

    /* Set compiled, and what differs of places, rules, wants_header, finds_time
       and text.  False and a reason if there is an error in the text. */
    bool (*compile)(struct key *key, struct fault *why);

    /* Either sets *out, or adds parts to the scratch. */
    enum key_result (*extract)(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out);

    /* Returns what compiled is for a file with this header, or NULL and a
       reason.  NULL: headers do not matter. */
    void *(*with_header)(const void *compiled, struct view header,
                         struct fault *why);

    /* Returns what compiled is for another thread, while this one lives, or
       NULL if there is no memory.  NULL: threads may share it. */
    void *(*clone)(const void *compiled);

    void (*free)(void *compiled); /* accepts NULL */
};

#endif
