/*
 * engine.c - records in, verdicts out
 */
#include "engine.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "signals.h"
#include "splitter.h"

enum { BATCH = 256 }; /* its hashes and verdicts stay in the first cache */

/* ---- Headers ---------------------------------------------------------- */

static void free_team(struct pipeline *p);

static bool wants_columns(const struct rules *rules)
{
    return rules->key->wants_header ||
           (rules->time.key && rules->time.key->wants_header);
}

static void forget_columns(struct pipeline *p)
{
    if (p->file.key != p->rules.key)
        key_free(p->file.key);
    if (p->file.time.key != p->rules.time.key)
        event_time_free(&p->file.time);
    p->file = p->rules;
}

/* A header tells where columns that have names are, unless they were found in
   the same one.  The team, which is at rest, has windows for other columns. */
static bool find_columns(struct pipeline *p, struct view header, bool again,
                         struct fault *why)
{
    if (!wants_columns(&p->rules) || (again && !wants_columns(&p->file)))
        return true;
    free_team(p);
    forget_columns(p);
    p->file.key = key_with_header(p->rules.key, header, why);
    if (p->file.key &&
        event_time_with_header(&p->file.time, &p->rules.time, header, why))
        return true;
    forget_columns(p);
    return false;
}

/*
 * A header passes, but once: files with the same one after each other shall
 * make one table.
 */
static bool take_header(struct pipeline *p, struct batch *b)
{
    struct view header = b->record[0];
    freshet_hash hash =
        freshet_hash_with(&p->decider->hasher, header.at, header.len);
    struct fault why;
    bool again =
        p->header_shown && hash.lo == p->header.lo && hash.hi == p->header.hi;

    if (!find_columns(p, header, again, &why)) {
        cli_fail("%s: %s", p->in.name, why.text);
        return false;
    }
    p->header_due = false;
    p->header_shown = true;
    p->header = hash;
    b->verdict[0] = again ? VERDICT_HEADER_AGAIN : VERDICT_HEADER;
    b->first_data = 1;
    return true;
}

/* ---- Output ----------------------------------------------------------- */

/* Who dies by SIGPIPE does so without a word. */
static enum pipeline_result output_trouble(const struct sink *s)
{
    if (errno != EPIPE || signals_end() != SIGPIPE)
        cli_fail("%s: %s", s->name, strerror(errno));
    return PIPELINE_OUTPUT;
}

static bool undo(void *context, freshet_hash key, unsigned verdict)
{
    struct decider *d = context;

    return d->type->undo && d->type->undo(d, key, (enum verdict)verdict);
}

/* Where repeats are written as well, nobody knows how far they came. */
bool pipeline_undo_unwritten(struct pipeline *p)
{
    return p->dup.fd < 0 &&
           undo_log_roll_back(&p->ledger, p->out.written, undo, p->decider);
}

/* Note what the filter learned, and when that will have been written. */
static void note_learned(struct pipeline *p, const struct batch *b)
{
    const struct decision *d = &b->decision;
    bool all = d->n == b->n - b->first_data;
    uint64_t end = sink_total(&p->out);

    for (size_t i = 0, key = 0; key < d->n; i++) {
        unsigned verdict = b->verdict[i];

        end += output_bytes(p->mode, verdict, b->record[i].len);
        if (all ? i < b->first_data : b->record_of_key[key] != i)
            continue;
        if (verdict == VERDICT_NEW || verdict == VERDICT_FIRST_REPEAT)
            undo_log_add(&p->ledger, d->hash[key], verdict, end);
        key++;
    }
}

static enum pipeline_result flush(struct pipeline *p)
{
    if (sink_flush(&p->out) < 0)
        return output_trouble(&p->out);
    if (p->dup.fd >= 0 && sink_flush(&p->dup) < 0)
        return output_trouble(&p->dup);
    undo_log_clear(&p->ledger);
    return PIPELINE_DONE;
}

/* ---- A window --------------------------------------------------------- */

static enum pipeline_result input_trouble(const struct batch *b)
{
    const struct reader *in = b->in;
    struct fault why;

    if (in->over) {
        split_explain_over(in, &b->splitter, &why);
        cli_fail("%s", why.text);
    } else {
        cli_fail("%s: %s", in->name, errno ? strerror(errno) : in->fault.text);
    }
    return PIPELINE_INPUT;
}

/* All records after a quote that is never closed were taken for one record. */
static void warn_open_quote(const struct batch *b)
{
    uint64_t line = csv_open_quote(&b->splitter);

    if (line)
        cli_fail("warning: %s: the quote that opens in line %" PRIu64
                 " is never closed; all that follows it is one record",
                 b->in->name, line);
}

static enum pipeline_result malformed(const struct batch *b)
{
    const struct reader *in = b->in;

    cli_fail("%s: the record at byte %" PRIu64 " %s; --malformed=pass or "
             "drop goes on",
             in->name, in->offset + (uint64_t)(b->broken - in->buffer), b->why);
    return PIPELINE_FAILED;
}

/*
 * The clock is the latest time of any record.  A record with an earlier time is
 * compared at the clock's time; one that is older than the window is late.
 */
static void advance_clock(struct pipeline *p, struct batch *b)
{
    for (size_t i = 0; i < b->decision.n; i++) {
        if (b->time[i] > p->now)
            p->now = b->time[i];
        p->counts.late += p->now - b->time[i] > p->within;
        b->time[i] = p->now;
    }
}

static void submit(struct pipeline *p, struct batch *b)
{
    b->decision.now = p->now;
    if (b->time)
        advance_clock(p, b);
    p->decider->type->submit(p->decider, &b->decision);
    b->submitted = true;
}

static bool decide(struct pipeline *p, struct batch *b)
{
    struct fault why;

    if (!b->submitted)
        submit(p, b);
    b->submitted = false;
    if (!p->decider->type->collect(p->decider, &b->decision, &why)) {
        cli_fail("%s; stopped, with %" PRIu64 " records written", why.text,
                 counts_of(&p->counts, p->mode->shows));
        return false;
    }
    batch_take_verdicts(b);
    counts_add(&p->counts, b->verdict, b->n);
    return true;
}

/* A batch that is prepared. */
static enum pipeline_result pass(struct pipeline *p, struct batch *b)
{
    if (b->no_memory) {
        cli_fail("%s: no memory for a key", b->in->name);
        return PIPELINE_OUTPUT;
    }
    if (!decide(p, b))
        return PIPELINE_FAILED;
    if (p->ledger.kept)
        note_learned(p, b);
    if (p->dup.fd >= 0 && output_put(&p->dup, &output_modes[OUTPUT_REPEATS],
                                     b->record, b->verdict, b->n) < 0)
        return output_trouble(&p->dup);
    if (output_put(&p->out, p->mode, b->record, b->verdict, b->n) < 0)
        return output_trouble(&p->out);
    if (b->broken)
        return malformed(b);
    return p->until_repeat && counts_of(&p->counts, VERDICTS_REPEATS)
               ? PIPELINE_STOPPED
               : PIPELINE_DONE;
}

/* The next batch of a window, as far as it does not matter what came before:
   this may be done side by side. */
static void prepare(const struct pipeline *p, struct batch *b)
{
    if (batch_split(b) > 0 && !p->header_due)
        batch_take_keys(b, &p->decider->hasher);
}

/* All whole records of a window, whose first batch is prepared. */
static enum pipeline_result pass_all(struct pipeline *p, struct batch *b)
{
    for (; b->n || b->broken; prepare(p, b)) {
        enum pipeline_result result;

        if (p->header_due) {
            if (!take_header(p, b))
                return PIPELINE_INPUT;
            batch_take_keys(b, &p->decider->hasher);
        }
        result = pass(p, b);
        if (result != PIPELINE_DONE)
            return result;
    }
    return b->in->over ? input_trouble(b) : PIPELINE_DONE;
}

/* The same, and all is written, which took so many bytes to be read. */
static enum pipeline_result settle(struct pipeline *p, struct batch *b,
                                   uint64_t bytes)
{
    enum pipeline_result result, flushed;

    p->counts.bytes_read += bytes;
    result = pass_all(p, b);
    /* Whoever reads us must not wait while we wait for more. */
    flushed = result == PIPELINE_OUTPUT ? result : flush(p);
    if (flushed != PIPELINE_DONE)
        return flushed;
    if (result == PIPELINE_DONE)
        p->decided(p->context);
    return result;
}

/* ---- The team --------------------------------------------------------- */

/* A window that is given away, with all that a thread needs to prepare it. */
struct parcel {
    struct batch batch;
    struct reader window;
    struct rules rules;
    uint64_t bytes;
};

static void prepare_parcel(void *context, void *item)
{
    prepare(context, &((struct parcel *)item)->batch);
}

static void settle_in_turn(struct pipeline *p, struct parcel *c)
{
    if (p->result == PIPELINE_DONE)
        p->result = settle(p, &c->batch, c->bytes);
}

/* The parcel that was submitted first: it is free then. */
static struct parcel *collect_oldest(struct pipeline *p)
{
    struct parcel *c = p->submitted[0];

    p->uncollected--;
    memmove(p->submitted, p->submitted + 1,
            p->uncollected * sizeof(struct parcel *));
    settle_in_turn(p, c);
    return c;
}

static void collect_all(struct pipeline *p)
{
    while (p->result == PIPELINE_DONE && p->uncollected)
        p->spare[p->spares++] = collect_oldest(p);
}

/*
 * Submit a window and do not wait for its verdicts, unless the run may end
 * in it, or there is more in it than one decision can hold: then nothing may
 * be submitted before it is settled.  Returns a parcel that is free.
 */
static struct parcel *submit_in_turn(struct pipeline *p, struct parcel *c)
{
    struct batch *b = &c->batch;

    if (p->result != PIPELINE_DONE)
        return c;
    if (b->broken || b->no_memory || b->n == 0 || b->in->start != b->in->end) {
        collect_all(p);
        settle_in_turn(p, c);
        return c;
    }
    if (p->uncollected > p->decider->depth)
        p->spare[p->spares++] = collect_oldest(p);
    if (p->result != PIPELINE_DONE)
        return c;
    submit(p, b);
    p->submitted[p->uncollected++] = c;
    return p->spare[--p->spares];
}

static void *settle_parcel(void *context, void *item)
{
    struct pipeline *p = context;

    if (p->decider->depth)
        return submit_in_turn(p, item);
    settle_in_turn(p, item);
    return item;
}

/* Two for each thread: one at hand, one that waits for its turn. */
static size_t parcels_at_hand(const struct pipeline *p)
{
    return 2 * (size_t)p->threads;
}

static size_t parcels(const struct pipeline *p)
{
    return parcels_at_hand(p) + (p->decider->depth ? p->decider->depth + 2 : 0);
}

/* Records of 16 bytes and more are prepared all at once, or as many as fit a
   question to a remote filter.  False: no memory, and what there is of it can
   be freed. */
static bool make_parcel(struct parcel *c, const struct pipeline *p)
{
    size_t window = p->in.window;
    size_t most = p->decider->most ? p->decider->most : window / 16 + 1;
    bool time;

    c->rules = p->file;
    c->rules.key = key_clone(p->file.key);
    time = event_time_clone(&c->rules.time, &p->file.time);
    c->window.buffer = malloc(window + 1);
    return batch_init(&c->batch, &c->rules, &c->window, most) == 0 &&
           c->window.buffer && c->rules.key && time;
}

static void free_team(struct pipeline *p)
{
    ordered_pool_free(p->team);
    p->team = NULL;
    for (size_t i = 0; p->parcel && i < parcels(p); i++) {
        struct parcel *c = &p->parcel[i];

        batch_free(&c->batch);
        free(c->window.buffer);
        key_free(c->rules.key);
        event_time_free(&c->rules.time);
    }
    free(p->parcel);
    p->parcel = NULL;
    p->spares = 0;
}

static bool make_team(struct pipeline *p)
{
    struct ordered_pool_job job = {prepare_parcel, settle_parcel, p};
    void *items[2 * ORDERED_POOL_MOST];
    bool made = true;

    p->parcel = calloc(parcels(p), sizeof *p->parcel);
    for (size_t i = 0; p->parcel && i < parcels(p); i++) {
        if (i < parcels_at_hand(p))
            items[i] = &p->parcel[i];
        else
            p->spare[p->spares++] = &p->parcel[i];
        made &= make_parcel(&p->parcel[i], p);
    }
    if (p->parcel && made && p->threads > 1)
        p->team =
            ordered_pool_create(p->threads, items, parcels_at_hand(p), &job);
    if (!made || (!p->team && !p->decider->depth))
        free_team(p);
    return p->parcel;
}

/* All that was given away is settled; how. */
static enum pipeline_result rest(struct pipeline *p)
{
    if (p->team)
        ordered_pool_rest(p->team);
    collect_all(p);
    return p->result;
}

/* ---- The loop --------------------------------------------------------- */

/* The window, by ourselves. */
static enum pipeline_result keep(struct pipeline *p, uint64_t bytes)
{
    enum pipeline_result result = rest(p);

    if (result != PIPELINE_DONE)
        return result;
    prepare(p, &p->batch);
    return settle(p, &p->batch, bytes);
}

/* The window's whole records to the team, and trouble when it is at rest. */
static enum pipeline_result give(struct pipeline *p, uint64_t bytes)
{
    size_t end = p->file.key->type->csv_records
                     ? split_csv_end(&p->in, &p->batch.splitter)
                     : split_end(&p->in, p->file.delimiter);
    struct parcel *c;

    if (end == p->in.start)
        return keep(p, bytes);
    c = p->team ? ordered_pool_next(p->team) : p->spare[--p->spares];
    reader_cut(&p->in, &c->window, end);
    batch_begin(&c->batch);
    c->bytes = bytes;
    if (p->team) {
        ordered_pool_give(p->team);
        return PIPELINE_DONE;
    }
    prepare_parcel(p, c);
    p->spare[p->spares++] = submit_in_turn(p, c);
    return p->result;
}

/*
 * A window that is worth it, and of the usual size: memory would grow if each
 * parcel had a long record of its own.
 */
static bool is_for_team(struct pipeline *p)
{
    const struct reader *in = &p->in;

    if ((p->threads < 2 && !p->decider->depth) || in->eof || p->header_due ||
        in->size != in->window ||
        (in->end - in->start < in->window / 4 && !p->decider->depth))
        return false;
    if (!p->parcel && !make_team(p))
        p->threads = 1; /* slower, but the same */
    return p->parcel;
}

static enum pipeline_result fill(struct pipeline *p, uint64_t *bytes)
{
    size_t before = p->in.end - p->in.start;
    enum pipeline_result result = PIPELINE_DONE;
    int error;

    if (!p->parcel || p->pressing(p->context)) {
        result = rest(p);
        if (result == PIPELINE_DONE && !p->between(p->context))
            result = PIPELINE_STOPPED;
        if (result != PIPELINE_DONE)
            return result;
    }
    if (reader_fill(&p->in) < 0) {
        error = errno;
        result = rest(p);
        errno = error;
        return result == PIPELINE_DONE ? input_trouble(&p->batch) : result;
    }
    *bytes = p->in.end - p->in.start - before;
    return PIPELINE_DONE;
}

static enum pipeline_result run(struct pipeline *p)
{
    enum pipeline_result result;
    uint64_t bytes = 0;

    do {
        result = fill(p, &bytes);
        if (result == PIPELINE_DONE)
            result = is_for_team(p) ? give(p, bytes) : keep(p, bytes);
    } while (!p->in.eof && result == PIPELINE_DONE);
    return result;
}

int pipeline_open(struct pipeline *p)
{
    p->file = p->rules;
    return batch_init(&p->batch, &p->file, &p->in,
                      p->decider->most ? p->decider->most : BATCH);
}

void pipeline_close(struct pipeline *p)
{
    free_team(p);
    forget_columns(p);
    batch_free(&p->batch);
}

enum pipeline_result pipeline_file(struct pipeline *p, const char *name)
{
    enum pipeline_result result;

    if (reader_open(&p->in, name) < 0) {
        if (errno == EINTR) /* told to end while waiting for a writer */
            return PIPELINE_STOPPED;
        cli_fail("%s: %s", name, strerror(errno));
        return PIPELINE_INPUT;
    }
    batch_begin(&p->batch);
    p->header_due = p->has_header || wants_columns(&p->rules);
    p->result = PIPELINE_DONE;
    p->uncollected = 0;
    result = run(p);
    if (p->in.eof)
        warn_open_quote(&p->batch);
    reader_close(&p->in);
    return result;
}
