/*
 * input_keys.c - a file's keys, kept as hashes, and the truth about them
 */
#include "input_keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "csv_text.h"
#include "keyset.h"
#include "machine.h"
#include "reader.h"
#include "size.h"
#include "splitter.h"
#include "status_line.h"

enum { BATCH = 256, FIRST = 1 << 16, RECORD_BYTES = 17 };

/* What is there only while a file is read. */
struct reading {
    struct input_keys *to;
    struct input_keys_form *form;
    struct reader in;
    struct csv_splitter splitter;
    const struct key *key; /* the form's, or the one found */
    struct key *found;     /* for this file's header, or NULL */
    bool header_due;
    struct key_scratch scratch;
    struct keyset *keys;
    freshet_hasher hasher;
};

/* ---- Memory ----------------------------------------------------------- */

static int too_large(const struct reading *r, uint64_t more)
{
    char need[SIZE_TEXT], there[SIZE_TEXT];
    uint64_t has = r->to->room * RECORD_BYTES + keyset_bytes(r->keys);

    return cli_fail("%s: the truth about its records takes more than %s by "
                    "record "
                    "%" PRIu64
                    ", and %s are left; give a sample of it, as 'head' makes",
                    r->in.name, size_text(need, has + more), r->to->records,
                    size_text(there, machine_free_memory()));
}

/* Twice the room.  Where the machine has not that much, say so while it still
   can be said. */
static int make_room(struct reading *r)
{
    struct input_keys *to = r->to;
    uint64_t room = to->room ? to->room * 2 : FIRST;
    uint64_t more = (room - to->room) * RECORD_BYTES +
                    keyset_most_bytes(room - to->room) / 2;
    freshet_hash *hash = NULL;
    uint8_t *repeat = NULL;

    if (more < machine_free_memory())
        hash = realloc(to->hash, room * sizeof *hash);
    if (hash) {
        to->hash = hash;
        repeat = realloc(to->repeat, room);
    }
    if (!repeat)
        return too_large(r, more);
    to->repeat = repeat;
    to->room = room;
    return CLI_GO;
}

/* ---- Records ---------------------------------------------------------- */

static int take_header(struct reading *r, struct view header)
{
    struct fault why;

    r->header_due = false;
    r->key = r->found = key_with_header(r->form->key, header, &why);
    if (!r->key)
        return cli_fail("%s: %s", r->in.name, why.text);
    return CLI_GO;
}

static int take_record(struct reading *r, struct view record)
{
    struct input_keys *to = r->to;
    struct view key;

    switch (key_of(r->key, record, &r->scratch, &key)) {
    case KEY_FOUND:
        to->hash[to->records++] =
            freshet_hash_with(&r->hasher, key.at, key.len);
        return CLI_GO;
    case KEY_MISSING:
    case KEY_MALFORMED:
        to->left_out++;
        return CLI_GO;
    case KEY_MEMORY:
        break;
    }
    return cli_fail("%s: no memory for a key", r->in.name);
}

/* The order matters: the same keys in another one are another stream. */
static void digest(struct input_keys *to, uint64_t from)
{
    for (; from < to->records; from++)
        to->digest =
            (to->digest ^ to->hash[from].lo) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The truth about the records since from. */
static int judge(struct reading *r, uint64_t from)
{
    struct input_keys *to = r->to;
    size_t repeats = keyset_add(r->keys, to->hash + from, to->repeat + from,
                                (size_t)(to->records - from));

    if (repeats == KEYSET_FULL)
        return too_large(r, 0);
    to->repeats += repeats;
    digest(to, from);
    return CLI_GO;
}

static size_t split(struct reading *r, struct view *record)
{
    return r->key->type->csv_records
               ? split_csv(&r->in, &r->splitter, record, BATCH)
               : split_records(&r->in, r->form->delimiter, record, BATCH);
}

/* All whole records of the window. */
static int drain(struct reading *r)
{
    struct view record[BATCH];
    size_t n;

    while ((n = split(r, record)) > 0) {
        uint64_t from = r->to->records;
        size_t first = r->header_due;
        int status = r->header_due ? take_header(r, record[0]) : CLI_GO;

        if (status == CLI_GO && r->to->room - from < n)
            status = make_room(r);
        for (size_t i = first; i < n && status == CLI_GO; i++)
            status = take_record(r, record[i]);
        if (status == CLI_GO)
            status = judge(r, from);
        if (status != CLI_GO)
            return status;
    }
    return CLI_GO;
}

static int read_all(struct reading *r)
{
    int got = 1, status = CLI_GO;
    struct fault why;

    while (got > 0 && status == CLI_GO && !r->in.over) {
        got = reader_fill(&r->in);
        if (got >= 0)
            status = drain(r);
        status_line_show("%s: %" PRIu64 " records read", r->in.name,
                         r->to->records);
    }
    status_line_clear();
    if (status == CLI_GO && r->in.over) {
        split_explain_over(&r->in, &r->splitter, &why);
        return cli_fail("%s", why.text);
    }
    if (status == CLI_GO && got < 0)
        return cli_fail("%s: %s", r->in.name,
                        errno ? strerror(errno) : r->in.fault.text);
    return status;
}

/* ---- A file ----------------------------------------------------------- */

static int open_all(struct reading *r, const char *name, uint64_t seed)
{
    freshet_error err;

    r->keys = keyset_create();
    if (!r->keys || reader_init(&r->in, READER_WINDOW, r->form->max_record) < 0)
        return cli_fail("out of memory");
    r->hasher = (freshet_hasher){.size = sizeof r->hasher, .key = {seed, 0}};
    if (freshet_hasher_init(&r->hasher, &err) < 0)
        return cli_fail("%s", err.message);
    r->in.as_is = r->form->as_is;
    if (reader_open(&r->in, name) < 0)
        return cli_fail("%s: %s", name, strerror(errno));
    if (r->key->type->csv_records)
        csv_splitter_init(&r->splitter, key_csv_separator(r->key));
    r->header_due = r->key->wants_header;
    return CLI_GO;
}

int input_keys_read(struct input_keys *to, struct input_keys_form *form,
                    const char *name, uint64_t seed)
{
    struct reading r = {.to = to, .form = form, .key = form->key, .in.fd = -1};
    int status;

    *to = (struct input_keys){0};
    status = open_all(&r, name, seed);
    if (status == CLI_GO) {
        status = read_all(&r);
        reader_close(&r.in);
    }
    if (status == CLI_GO && to->records == 0)
        status = cli_fail("%s: no record with a key in it", name);
    reader_free(&r.in);
    key_scratch_free(&r.scratch);
    key_free(r.found);
    keyset_free(r.keys);
    return status;
}

void input_keys_free(struct input_keys *r)
{
    free(r->hash);
    free(r->repeat);
    *r = (struct input_keys){0};
}
