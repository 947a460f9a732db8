/*
 * key_type.h - the interface of a kind of key
 *
 * Each kind is one const struct in a file of its own; key.c lists them.  Its
 * functions are only called through key.h.
 */
#ifndef KEY_TYPE_H
#define KEY_TYPE_H

#include <stdint.h>

#include "fault.h"
#include "key_scratch.h"

enum key_result {
    KEY_FOUND,
    KEY_MISSING,   /* a part is missing; its key differs from all others */
    KEY_MALFORMED, /* the record is malformed and has no key */
    KEY_MEMORY     /* no memory for the key */
};

/* Settings of a key besides its text. */
struct key_settings {
    bool crlf;     /* a carriage return at the end is not part of the record */
    bool fold;     /* compare A to Z as a to z */
    int separator; /* separator of fields or columns; -1: the kind's default */
    uint64_t skip_fields, skip_bytes; /* to skip at the front, as in uniq */
    uint64_t most_bytes;              /* to compare; UINT64_MAX: all */
    const char *time; /* place of the time, if the key may find it in the same
                         pass; or NULL.  Used only by key_create(). */
};

/* The defaults. */
#define KEY_SETTINGS                                                           \
    {                                                                          \
        .separator = -1, .most_bytes = UINT64_MAX                              \
    }

struct key_type;

/* A compiled key.  It is constant: threads may share it, or use clones if the
   type has working memory. */
struct key {
    const struct key_type *type;
    struct key_settings settings;
    char *text;        /* its source text; "" if there was none */
    void *compiled;    /* the type's own data */
    size_t places;     /* fields, columns or paths in the list; else 1 */
    unsigned rules;    /* version of the rules that make keys from values: 1, or
                          the number of a change after which other bytes are
                          compared */
    bool wants_header; /* key_with_header() must find its columns first */
    bool finds_time;   /* it stores a record's time in the scratch */
    bool shares_text, shares_compiled; /* owned by a key that outlives this
                                          one */
};

/* Returns the separator of columns for records of CSV. */
static inline char key_csv_separator(const struct key *key)
{
    return key->settings.separator < 0 ? ',' : (char)key->settings.separator;
}

struct key_type {
    const char *option;    /* the option that chooses it: "json"; or NULL */
    const char *words;     /* for messages, before the text: "values" */
    const char *malformed; /* "is not JSON"; NULL if no record is malformed */
    bool csv_records;      /* records end by the rules of CSV */
    bool json_records;     /* a place in a record is a path */
    bool separated;        /* settings.separator matters */

    /* Of several types with the same option, the first that accepts the text is
       used.  NULL: any text. */
    bool (*accepts)(const char *text);

    /*
     * Sets compiled, and places, rules, wants_header, finds_time and text if
     * they differ from the defaults.  Returns false and sets *why if there is
     * an error in the text.
     */
    bool (*compile)(struct key *key, struct fault *why);

    /* Either sets *out, or adds parts to the scratch. */
    enum key_result (*extract)(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out);

    /* Returns the compiled form for a file with this header, or NULL and sets
       *why.  NULL: headers do not matter. */
    void *(*with_header)(const void *compiled, struct view header,
                         struct fault *why);

    /* Returns a copy of the compiled form for another thread, to be freed
       first, or NULL if there is no memory.  NULL: threads may share it. */
    void *(*clone)(const void *compiled);

    void (*free)(void *compiled); /* accepts NULL */
};

#endif
