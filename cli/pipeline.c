/*
 * pipeline.c - records in, verdicts out
 */
#include "pipeline.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>

#include "cli.h"
#include "signals.h"
#include "split.h"

enum { BATCH = 256 }; /* its hashes and verdicts stay in the first cache */

/* The first two are the filter's own. */
enum { FRESH = FRESHET_NEW, REPEAT = FRESHET_SEEN, PASSED, DROPPED, HEADER };

struct batch {
    size_t n;
    size_t first; /* 1 if a header is before it */
    struct view record[BATCH];
    uint8_t verdict[BATCH];

    size_t keys; /* of the records, those that have one */
    freshet_hash hash[BATCH];
    uint64_t time[BATCH]; /* if records say */
    uint8_t seen[BATCH];
    uint8_t of[BATCH]; /* whose */
};
_Static_assert(BATCH - 1 <= UINT8_MAX, "batch.of counts records");

/* ---- Keys ------------------------------------------------------------- */

/* A header tells where columns that have names are. */
static bool find_columns(struct csv *csv, struct view header, struct fault *why)
{
    return !csv || !csv_wants_header(csv) || csv_read_header(csv, header, why);
}

/*
 * A header passes, but once: files with the same one after each other shall
 * make one table.
 */
static bool take_header(struct pipeline *p, struct batch *b)
{
    struct view header = b->record[0];
    freshet_hash hash = freshet_hash_key(p->filter, header.at, header.len);
    struct fault why;
    bool again =
        p->header_shown && hash.lo == p->header.lo && hash.hi == p->header.hi;

    if (!find_columns(p->key.csv, header, &why) ||
        !find_columns(p->time.csv, header, &why)) {
        cli_fail("%s: %s", p->in.name, why.text);
        return false;
    }
    p->header_due = false;
    p->header_shown = true;
    p->header = hash;
    p->counts.dropped += again;
    p->counts.passed += !again;
    b->verdict[0] = again ? DROPPED : HEADER;
    b->first = 1;
    return true;
}

/* The last record of a file, if a quote in it is still open. */
static bool is_open(const struct pipeline *p, const struct batch *b, size_t i)
{
    return p->key.csv && i + 1 == b->n && p->in.eof &&
           p->in.start == p->in.end && csv_in_quotes(&p->splitter);
}

/* The key of a record, and its time where that is asked for. */
static enum key_result take_key(struct pipeline *p, struct batch *b, size_t i,
                                struct view *key)
{
    enum key_result got = key_of(&p->key, b->record[i], &p->scratch, key);

    p->why = key_trouble(&p->key);
    if (got != KEY_MEMORY && is_open(p, b, i))
        return KEY_MALFORMED;
    if (got == KEY_MISSING && p->missing != MISSING_KEY)
        return got;
    if (got > KEY_MISSING || !eventtime_is_set(&p->time))
        return got == KEY_MISSING ? KEY_FOUND : got;
    p->why = "does not say when it happened";
    return eventtime_of(&p->time, b->record[i], &b->time[b->keys])
               ? KEY_FOUND
               : KEY_MALFORMED;
}

/* The verdict on a record that cannot be compared. */
static uint8_t without_key(struct pipeline *p, enum key_result got)
{
    bool malformed = got == KEY_MALFORMED;
    bool drop =
        malformed ? p->malformed == MALFORMED_DROP : p->missing == MISSING_DROP;

    p->counts.malformed += malformed;
    p->counts.dropped += drop;
    p->counts.passed += !drop;
    return drop ? DROPPED : PASSED;
}

/*
 * Hash the records' keys.  Where the run is to end at a malformed record, so
 * does the batch.  False: no memory.
 */
static bool take_keys(struct pipeline *p, struct batch *b)
{
    b->keys = 0;
    for (size_t i = b->first; i < b->n; i++) {
        struct view key;
        enum key_result got = take_key(p, b, i, &key);

        if (got == KEY_MEMORY)
            return false;
        if (got == KEY_FOUND) {
            b->hash[b->keys] = freshet_hash_key(p->filter, key.at, key.len);
            b->of[b->keys++] = (uint8_t)i;
        } else if (got == KEY_MALFORMED && p->malformed == MALFORMED_FAIL) {
            p->broken = b->record[i].at;
            b->n = i;
        } else {
            b->verdict[i] = without_key(p, got);
        }
    }
    return true;
}

/* Its clock is the filter's: time, or else records that were compared. */
static void check(struct pipeline *p, const struct batch *b)
{
    uint64_t before = p->counts.fresh + p->counts.repeats;

    for (size_t i = 0; i < b->keys; i++)
        audit_record(p->audit, b->hash[i], b->seen[i],
                     eventtime_is_set(&p->time) ? b->time[i]
                     : p->timed                 ? p->now
                                                : before + i);
}

/* n keys at once, or, where each has a time, those of one time at once. */
static size_t offer(const struct pipeline *p, freshet *f, struct batch *b,
                    size_t n)
{
    bool timed = eventtime_is_set(&p->time);
    size_t fresh = 0;

    for (size_t from = 0, to = 0; from < n; from = to) {
        for (to = timed ? from + 1 : n; to < n && b->time[to] == b->time[from];)
            to++;
        if (timed)
            freshet_tick(f, b->time[from]);
        if (p->ask_only)
            fresh += freshet_query_batch(f, b->hash + from, to - from,
                                         b->seen + from);
        else
            fresh += freshet_offer_batch(f, b->hash + from, to - from,
                                         b->seen + from);
    }
    return fresh;
}

static void decide(struct pipeline *p, struct batch *b)
{
    size_t fresh = offer(p, p->filter, b, b->keys);

    for (size_t i = 0; i < b->keys; i++)
        b->verdict[b->of[i]] = b->seen[i];
    if (p->audit)
        check(p, b);
    p->counts.fresh += fresh;
    p->counts.repeats += b->keys - fresh;
}

/* ---- Output ----------------------------------------------------------- */

/* Is a record of this verdict shown among the new, or among the repeats? */
static bool is_shown(uint8_t verdict, bool repeats)
{
    if (verdict == HEADER)
        return true;
    return repeats ? verdict == REPEAT : verdict == FRESH || verdict == PASSED;
}

/* Bytes that record i of the batch adds to the output; what -d shows its other
   filter has yet to say. */
static uint64_t bytes_of(const struct pipeline *p, const struct batch *b,
                         size_t i)
{
    uint64_t len = b->record[i].len + 1;

    switch (p->show) {
    case SHOW_NEW:
    case SHOW_REPEATS:
        return is_shown(b->verdict[i], p->show == SHOW_REPEATS) ? len : 0;
    case SHOW_ALL:
        return b->verdict[i] == DROPPED ? 0 : len + 2;
    case SHOW_REPEATED:
    case SHOW_NOTHING:
        break;
    }
    return 0;
}

/* What the filter learned, and when that will have been written. */
static void enter(struct pipeline *p, const struct batch *b)
{
    bool later = p->show == SHOW_REPEATED;
    uint64_t end = sink_total(&p->out);

    for (size_t i = 0, key = 0; key < b->keys; i++) {
        end += bytes_of(p, b, i);
        if (b->of[key] != i)
            continue;
        if (b->seen[key] == FRESHET_NEW)
            ledger_add(&p->ledger, p->filter, b->hash[key],
                       later ? LEDGER_LATER : end);
        key++;
    }
}

/* Each with its delimiter. */
static int put_record(struct sink *s, struct view record)
{
    if (sink_put(s, record.at, record.len + 1) < 0)
        return -1;
    return s->by_record ? sink_flush(s) : 0;
}

static int show_kind(struct sink *s, const struct batch *b, bool repeats)
{
    for (size_t i = 0; i < b->n; i++) {
        if (is_shown(b->verdict[i], repeats) && put_record(s, b->record[i]) < 0)
            return -1;
    }
    return 0;
}

static int show_marked(struct sink *s, const struct batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const char *mark = b->verdict[i] == REPEAT ? "1\t" : "0\t";

        if (b->verdict[i] == DROPPED)
            continue;
        if (sink_put(s, mark, 2) < 0 || put_record(s, b->record[i]) < 0)
            return -1;
    }
    return 0;
}

/* A second filter knows the keys that were shown. */
static int show_repeated(struct pipeline *p, struct batch *b)
{
    size_t n = 0;

    if (b->first && b->verdict[0] == HEADER &&
        put_record(&p->out, b->record[0]) < 0)
        return -1;
    for (size_t i = 0; i < b->keys; i++)
        if (b->seen[i] == FRESHET_SEEN) {
            b->hash[n] = b->hash[i];
            b->time[n] = b->time[i];
            b->of[n++] = b->of[i];
        }
    offer(p, p->repeated, b, n);
    for (size_t i = 0; p->ledger.kept && i < n; i++)
        if (b->seen[i] == FRESHET_NEW)
            ledger_add(&p->ledger, p->repeated, b->hash[i], LEDGER_LATER);
    for (size_t i = 0; i < n; i++)
        if (b->seen[i] == FRESHET_NEW &&
            put_record(&p->out, b->record[b->of[i]]) < 0)
            return -1;
    ledger_settle(&p->ledger, sink_total(&p->out));
    return 0;
}

static int show(struct pipeline *p, struct batch *b)
{
    switch (p->show) {
    case SHOW_NEW:
        return show_kind(&p->out, b, false);
    case SHOW_REPEATS:
        return show_kind(&p->out, b, true);
    case SHOW_REPEATED:
        return show_repeated(p, b);
    case SHOW_ALL:
        return show_marked(&p->out, b);
    case SHOW_NOTHING:
        break;
    }
    return 0;
}

/* Who dies by SIGPIPE does so without a word. */
static enum pipeline_result output_trouble(const struct sink *s)
{
    if (errno != EPIPE || signals_end() != SIGPIPE)
        cli_fail("%s: %s", s->name, strerror(errno));
    return PIPELINE_OUTPUT;
}

/* Where repeats are written as well, nobody knows how far they came. */
bool pipeline_take_back(struct pipeline *p)
{
    return p->dup.fd < 0 && ledger_take_back(&p->ledger, p->out.written);
}

static enum pipeline_result flush(struct pipeline *p)
{
    if (sink_flush(&p->out) < 0)
        return output_trouble(&p->out);
    if (p->dup.fd >= 0 && sink_flush(&p->dup) < 0)
        return output_trouble(&p->dup);
    ledger_clear(&p->ledger);
    return PIPELINE_DONE;
}

/* ---- The loop --------------------------------------------------------- */

static enum pipeline_result input_trouble(const struct reader *in)
{
    if (in->over)
        cli_fail("%s: the record at byte %" PRIu64 " is longer than %zu "
                 "bytes; --max-record allows longer ones",
                 in->name, reader_offset(in), in->most);
    else
        cli_fail("%s: %s", in->name, errno ? strerror(errno) : in->fault.text);
    return PIPELINE_INPUT;
}

static enum pipeline_result malformed(const struct pipeline *p)
{
    const struct reader *in = &p->in;

    cli_fail("%s: the record at byte %" PRIu64 " %s; --malformed=pass or "
             "drop goes on",
             in->name, in->offset + (uint64_t)(p->broken - in->buffer), p->why);
    return PIPELINE_FAILED;
}

static size_t split(struct pipeline *p, struct batch *b)
{
    b->first = 0;
    b->n = p->key.csv ? split_csv(&p->in, &p->splitter, b->record, BATCH)
                      : split_records(&p->in, p->delimiter, b->record, BATCH);
    return b->n;
}

/* All whole records of the window. */
static enum pipeline_result drain(struct pipeline *p)
{
    struct batch b;

    while (split(p, &b) > 0) {
        if (p->header_due && !take_header(p, &b))
            return PIPELINE_INPUT;
        if (!take_keys(p, &b)) {
            cli_fail("%s: no memory for a key", p->in.name);
            return PIPELINE_OUTPUT;
        }
        decide(p, &b);
        if (p->ledger.kept)
            enter(p, &b);
        if (p->dup.fd >= 0 && show_kind(&p->dup, &b, true) < 0)
            return output_trouble(&p->dup);
        if (show(p, &b) < 0)
            return output_trouble(&p->out);
        if (p->broken)
            return malformed(p);
        if (p->until_repeat && p->counts.repeats)
            return PIPELINE_STOPPED;
    }
    return p->in.over ? input_trouble(&p->in) : PIPELINE_DONE;
}

static enum pipeline_result run(struct pipeline *p)
{
    enum pipeline_result result, flushed;
    int got;

    do {
        size_t before;

        if (!p->between(p->context))
            return PIPELINE_STOPPED;
        before = p->in.end - p->in.start;
        got = reader_fill(&p->in);
        if (got < 0)
            return input_trouble(&p->in);
        p->counts.bytes += p->in.end - p->in.start - before;
        result = drain(p);
        /* Whoever reads us must not wait while we wait for more. */
        flushed = result == PIPELINE_OUTPUT ? result : flush(p);
        if (flushed != PIPELINE_DONE)
            return flushed;
    } while (got > 0 && result == PIPELINE_DONE);
    return result;
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
    p->header_due = p->has_header ||
                    (p->key.csv && csv_wants_header(p->key.csv)) ||
                    (p->time.csv && csv_wants_header(p->time.csv));
    if (p->key.csv)
        csv_splitter_init(&p->splitter, p->key.csv->separator);
    result = run(p);
    reader_close(&p->in);
    return result;
}
