/*
 * key.h - which part of a record is its key
 *
 * A key is a view: into the record where it stands there as it is, else into
 * scratch memory that is good until the next record's key.  A kind of key is
 * a row in key_of()'s switch and a compiled form in struct key_spec.
 */
#ifndef KEY_H
#define KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json_path.h"
#include "view.h"

enum key_result {
    KEY_FOUND,
    KEY_MISSING,   /* a part is not there; the key marks it as absent */
    KEY_MALFORMED, /* the record is not of the form it should be; no key */
    KEY_MEMORY     /* no memory for it; no key */
};

enum key_kind {
    KEY_RECORD, /* all of it */
    KEY_SKIP,   /* without some fields, then bytes, at the front, as uniq */
    KEY_FIELDS, /* a list of fields */
    KEY_JSON,   /* the values at paths */
    KEY_JSON_WITHOUT, /* all but them */
    KEY_CSV,          /* columns */
    KEY_CSV_WITHOUT,  /* all but them */
    KEY_REGEX         /* what an expression matches */
};

/* Fields first to last, from 1; last is SIZE_MAX for "to the end". */
struct key_range {
    size_t first, last;
};
enum { KEY_RANGES = 64 };

struct key_spec {
    enum key_kind kind;
    bool crlf; /* a carriage return at the end is no part of the record */
    bool fold; /* A to Z are a to z */

    /* KEY_SKIP */
    uint64_t skip_fields, skip_bytes, most_bytes;

    /* KEY_FIELDS, in order, apart from each other */
    int separator; /* a byte, or -1: runs of blanks, none at the front */
    size_t ranges;
    struct key_range range[KEY_RANGES];

    struct json_path *json; /* KEY_JSON and KEY_JSON_WITHOUT */
    bool json_time;  /* its last path is the time, which is found on the way */
    struct csv *csv; /* KEY_CSV and KEY_CSV_WITHOUT, else NULL */
    struct regex *regex;
};

/* What it leads to, not the spec itself. */
void key_spec_free(struct key_spec *spec);

/* The same for another thread, while the first is there.  False: no memory. */
bool key_spec_twin(struct key_spec *twin, const struct key_spec *spec);
void key_spec_twin_free(struct key_spec *twin);

/* What is wrong with a record that is KEY_MALFORMED: "is not JSON". */
const char *key_trouble(const struct key_spec *spec);

/* Where keys are put together.  All zero to begin with. */
struct key_scratch {
    char *at;
    size_t used, size;
    bool fold;  /* key_of()'s: parts are folded as they are added */
    bool parts; /* any were added for this record */
    struct json_path_value
        time; /* this record's, where spec.json_time is set */
};
void key_scratch_free(struct key_scratch *scratch);

/* Read a list as cut does: "2", "1,3-5,7-".  NULL, or what is wrong. */
const char *key_fields_read(struct key_spec *spec, const char *list);

/*
 * The key of a record.  When a part is missing the key is made all the same,
 * so that the caller may choose to compare records without it.
 */
enum key_result key_of(const struct key_spec *spec, struct view record,
                       struct key_scratch *scratch, struct view *key);

/*
 * For extractors: a key of several parts is each part's length, then its
 * bytes, so that ("ab", "c") and ("a", "bc") differ; an absent part is a
 * length of its own.  False: no memory.
 */
bool key_add_part(struct key_scratch *scratch, struct view part);
bool key_add_absent(struct key_scratch *scratch);

/* A part of a type, from 0 to 15, which is another with another one. */
bool key_add_typed(struct key_scratch *scratch, unsigned type,
                   struct view part);

/* So many bytes where the next part will stand: decoded there, it need not
   be copied.  NULL: no memory. */
char *key_room(struct key_scratch *scratch, size_t len);

#endif
