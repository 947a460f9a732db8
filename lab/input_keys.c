/*
 * input_keys.c - reads the keys of a file as hashes, and finds the repeats
 *
 * The engine reads the file; its decider, the recorder, stores the keys and
 * finds the repeats exactly.
 */
#include "input_keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "keyset.h"
#include "machine.h"
#include "size.h"
#include "source_file.h"

enum { FIRST = 1 << 16, RECORD_BYTES = 17 };

struct recorder {
    struct decider base;
    struct input_keys *to;
    struct keyset *keys;
    const struct input_keys_form *form;
    const char *name; /* name of the file */
};

/* ---- Memory ----------------------------------------------------------- */

static bool too_large(const struct recorder *r, uint64_t more,
                      struct fault *why)
{
    char need[SIZE_TEXT], there[SIZE_TEXT];
    uint64_t has = r->to->room * RECORD_BYTES + keyset_bytes(r->keys);

    return fault_set(why,
                     "%s: finding its repeats takes more than %s at record "
                     "%" PRIu64
                     ", and %s are left; measure on a part of the file",
                     r->name, size_text(need, has + more), r->to->records,
                     size_text(there, machine_free_memory()));
}

/* Makes room for n more records, at least doubling it.  Returns false and sets
   *why if the machine lacks the memory. */
static bool make_room(struct recorder *r, size_t n, struct fault *why)
{
    struct input_keys *to = r->to;
    uint64_t room = to->room ? to->room * 2 : FIRST, more;
    freshet_hash *hash = NULL;
    uint8_t *repeat = NULL;

    if (to->room - to->records >= n)
        return true;
    room = room < to->records + n ? to->records + n : room;
    more = (room - to->room) * RECORD_BYTES +
           keyset_most_bytes(room - to->room) / 2;
    if (more < machine_free_memory())
        hash = realloc(to->hash, room * sizeof *hash);
    if (hash) {
        to->hash = hash;
        repeat = realloc(to->repeat, room);
    }
    if (!repeat)
        return too_large(r, more, why);
    /* analyzer: sees leaks; to owns both */
    to->repeat = repeat;
    to->room = room;
    return true;
}

/* ---- The decider ------------------------------------------------------ */

/* The digest depends on the order of the keys. */
static void digest(struct input_keys *to, const freshet_hash *hash, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to->digest = (to->digest ^ hash[i].lo) * UINT64_C(0x9e3779b97f4a7c15);
}

static void submit(struct decider *d, struct decision *b)
{
    (void)d, (void)b;
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    struct recorder *r = (struct recorder *)d;
    struct input_keys *to = r->to;
    size_t repeats;

    if (b->n == 0)
        return true;
    if (!make_room(r, b->n, why))
        return false;
    repeats = keyset_add(r->keys, b->hash, b->verdict, b->n);
    if (repeats == KEYSET_FULL)
        return too_large(r, 0, why);
    memcpy(to->hash + to->records, b->hash, b->n * sizeof *b->hash);
    memcpy(to->repeat + to->records, b->verdict, b->n);
    digest(to, b->hash, b->n);
    to->records += b->n;
    to->repeats += repeats;
    return true;
}

static const struct decider_type recorder_type = {
    .name = "recorder",
    .submit = submit,
    .collect = collect,
};

/* ---- A file ----------------------------------------------------------- */

static bool always(void *context)
{
    (void)context;
    return true;
}

static bool report_progress(void *context)
{
    const struct recorder *r = context;

    r->form->progress(r->name, r->to->records);
    return true;
}

static bool run(struct recorder *r, struct source *source, struct fault *why)
{
    struct output nowhere = {.out.fd = -1,
                             .dup.fd = -1,
                             .mode = &output_modes[OUTPUT_NOTHING]};
    const struct engine_config config = {.extractor = r->form->extractor,
                                         .decider = &r->base,
                                         .output = &nowhere,
                                         .host = {.wants_rest = always,
                                                  .at_rest = report_progress,
                                                  .context = r}};
    struct engine *e = engine_create(&config, source->window, why);
    bool done = e && engine_run(e, source, why) == ENGINE_DONE;

    if (done)
        r->to->left_out =
            counts_of(engine_counts(e), VERDICTS_PASSED & ~VERDICT_BIT(HEADER));
    engine_free(e);
    return done;
}

static bool make_hasher(struct recorder *r, uint64_t seed, struct fault *why)
{
    freshet_hasher *hasher = &r->base.hasher;
    freshet_error err;

    *hasher = (freshet_hasher){.size = sizeof *hasher, .key = {seed, 0}};
    return freshet_hasher_init(hasher, &err) == 0 ||
           fault_set(why, "%s", err.message);
}

static bool read_file(struct recorder *r, struct source *source,
                      const char *name, struct fault *why)
{
    bool done;

    if (!source_file_open(source, name))
        return fault_set(why, "%s: %s", name, strerror(errno));
    r->name = source->name;
    done = run(r, source, why);
    r->to->open_quote = source_file_open_quote(source);
    source_file_close(source);
    if (done && r->to->records == 0)
        return fault_set(why, "%s: no record with a key in it", name);
    return done;
}

bool input_keys_read(struct input_keys *to, const struct input_keys_form *form,
                     const char *name, uint64_t seed, struct fault *why)
{
    const struct source_file_config config = {.framing =
                                                  form->extractor->framing,
                                              .as_is = form->as_is};
    struct source *source = source_file_create(&config);
    struct recorder r = {.base.type = &recorder_type,
                         .to = to,
                         .keys = keyset_create(),
                         .form = form};
    bool done = false;

    *to = (struct input_keys){0};
    if (!source || !r.keys)
        fault_set(why, "out of memory");
    else
        done = make_hasher(&r, seed, why) && read_file(&r, source, name, why);
    if (source)
        source->type->free(source);
    keyset_free(r.keys);
    return done;
}

void input_keys_free(struct input_keys *r)
{
    free(r->hash);
    free(r->repeat);
    *r = (struct input_keys){0};
}
