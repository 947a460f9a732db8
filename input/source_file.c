/*
 * source_file.c - records of files, one after the other
 *
 * Of a large plain file, claim() reads only the last bytes of each chunk, to
 * find the end of a record; load() reads the chunk, for several chunks at the
 * same time.  Everything else is read by claim(): pipes, compressed files, the
 * end of a file, which may be growing, very long records, and CSV, of which
 * every byte must be read in order to find the ends of records.
 */
#include "source_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader.h"
#include "splitter.h"
#include "system.h"
#include "upcoming.h"

enum { PROBE = 4096 }; /* bytes in which the last record end is searched */

struct source_file {
    struct source base;
    struct reader in;
    struct blocks blocks; /* for the threads that decompress */
    struct upcoming upcoming;
    unsigned unpackers; /* threads that may decompress */
    struct csv_splitter csv;
    bool has_ranges;  /* chunks may be ranges of the file */
    bool has_records; /* CSV: there are whole records in the buffer */
    uint64_t end;     /* size of the file at the last check */
};

/* Returns the offset in the file of the next byte to claim. */
static uint64_t position(const struct source_file *f)
{
    return (uint64_t)f->in.began + f->in.offset + f->in.start;
}

/* ---- Ranges ----------------------------------------------------------- */

/*
 * Returns whether two windows or more are left.  The last record of a growing
 * file may be complete later, so the end of the file is not claimed as a range.
 */
static bool has_much_left(struct source_file *f)
{
    uint64_t much = position(f) + 2 * f->base.window;
    struct stat st;

    if (f->end < much && fstat(f->in.fd, &st) == 0)
        f->end = (uint64_t)st.st_size;
    return f->end >= much;
}

/* Moves the reader to this offset. */
static void move_to(struct source_file *f, uint64_t place)
{
    struct reader *in = &f->in;

    in->offset = place - (uint64_t)in->began;
    in->start = in->end = in->scanned = 0;
    (void)lseek(in->fd, (off_t)place, SEEK_SET);
}

/* After the end nothing is claimed, even if the file has grown: the last record
   may have been handed over without its rest. */
static bool claim_range(struct source_file *f, struct chunk *c)
{
    size_t probe = f->base.window < PROBE ? f->base.window : PROBE;
    uint64_t begin = position(f), from = begin + f->base.window - probe;
    const char *last;
    char ends[PROBE];

    if (!f->has_ranges || f->in.eof || f->in.start != f->in.end ||
        !has_much_left(f) ||
        pread(f->in.fd, ends, probe, (off_t)from) != (ssize_t)probe)
        return false;
    last = system_last_byte(ends, f->base.framing.delimiter, probe);
    if (!last)
        return false;
    c->start = 0;
    c->end = (size_t)(from - begin) + (size_t)(last - ends) + 1;
    c->bytes = c->end;
    c->offset = begin - (uint64_t)f->in.began;
    c->last = c->is_loaded = false;
    move_to(f, begin + c->end);
    return true;
}

/* If the file became shorter, the chunk ends with it. */
static bool load(const struct source *s, struct chunk *c, struct fault *why)
{
    const struct source_file *f = (const struct source_file *)s;
    uint64_t from = (uint64_t)f->in.began + c->offset;
    size_t have = 0;

    while (!c->is_loaded && have < c->end) {
        ssize_t n = pread(f->in.fd, c->buffer + have, c->end - have,
                          (off_t)(from + have));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fault_set(why, "%s: %s", s->name, strerror(errno));
        if (n == 0) {
            c->last = true;
            c->end = have;
        }
        have += (size_t)n;
    }
    c->is_loaded = true;
    return true;
}

/* ---- What is read when it is claimed ---------------------------------- */

static bool hand_over(struct source_file *f, struct chunk *c, size_t end,
                      struct fault *why)
{
    if (!reader_hand_over(&f->in, c, end))
        return fault_set(why, "%s: no memory to read it", f->base.name);
    c->bytes = c->end - c->start;
    f->in.scanned = f->in.end; /* the rest contains no record end */
    if (f->has_ranges && has_much_left(f))
        move_to(f, position(f));
    return true;
}

/* Returns where the last whole record in the buffer ends, or the start if none
   does.  A record that is too long counts, so that it is reported. */
static size_t whole_end(struct source_file *f)
{
    struct reader *in = &f->in;
    size_t from = in->start + in->scanned;
    const char *last =
        system_last_byte(in->buffer + from, f->base.framing.delimiter,
                         in->end - from);

    if (in->eof || (!last && in->end - in->start > in->most))
        return in->end;
    return last ? (size_t)(last - in->buffer) + 1 : in->start;
}

static enum source_result claim_lines(struct source_file *f, struct chunk *c,
                                      struct fault *why)
{
    size_t end = whole_end(f);

    f->in.scanned = f->in.end - f->in.start;
    if (end == f->in.start)
        return f->in.eof ? SOURCE_END : SOURCE_AGAIN;
    return hand_over(f, c, end, why) ? SOURCE_CHUNK : SOURCE_FAILED;
}

/* The chunk holds the reader's buffer while it is split. */
static enum source_result claim_csv(struct source_file *f, struct chunk *c,
                                    struct fault *why)
{
    struct reader *in = &f->in;
    char *own = c->buffer;
    size_t start, end;

    if (in->eof && in->start == in->end)
        return SOURCE_END;
    c->buffer = in->buffer;
    c->start = in->start;
    c->end = in->end;
    c->last = in->eof;
    in->scanned = split_csv(c, &f->base.framing, &f->csv, in->scanned);
    start = c->start;
    end = c->is_too_long ? c->end : c->start;
    c->buffer = own;
    f->has_records = c->n == c->capacity && end < in->end;
    if (c->n == 0 && !c->is_too_long)
        return SOURCE_AGAIN;
    if (!hand_over(f, c, end, why))
        return SOURCE_FAILED;
    in->scanned = f->has_records ? 0 : in->end;
    c->start = start;
    return SOURCE_CHUNK;
}

static enum source_result claim_read(struct source_file *f, struct chunk *c,
                                     struct fault *why)
{
    if (!f->has_records && reader_fill(&f->in) < 0) {
        fault_set(why, "%s: %s", f->base.name,
                  errno ? strerror(errno) : f->in.fault.text);
        return SOURCE_FAILED;
    }
    return f->base.framing.csv ? claim_csv(f, c, why) : claim_lines(f, c, why);
}

/* ---- The source ------------------------------------------------------- */

static enum source_result claim(struct source *s, struct chunk *c,
                                struct fault *why)
{
    struct source_file *f = (struct source_file *)s;

    c->n = 0;
    c->open_quote = 0;
    c->is_split = c->is_too_long = false;
    return claim_range(f, c) ? SOURCE_CHUNK : claim_read(f, c, why);
}

static bool is_ready(const struct source *s)
{
    const struct source_file *f = (const struct source_file *)s;

    return f->has_records || reader_is_ready(&f->in);
}

/* Where further files are decompressed, too, no thread needs a processor more
   than others. */
static bool has_plenty(const struct source *s)
{
    const struct source_file *f = (const struct source_file *)s;

    return !f->in.unpacker || f->upcoming.n ||
           unpacker_has_plenty(f->in.unpacker);
}

bool source_file_open(struct source *s, const char *name)
{
    struct source_file *f = (struct source_file *)s;

    struct upcoming_file begun;

    if (upcoming_take(&f->upcoming, name, &begun))
        reader_adopt(&f->in, name, begun.fd, begun.unpacker);
    else if (reader_open(&f->in, name) < 0)
        return false;
    s->name = f->in.name;
    s->fd = f->in.fd;
    csv_splitter_init(&f->csv, s->framing.separator);
    f->has_ranges = f->in.is_plain && !s->framing.csv;
    f->has_records = false;
    f->end = 0;
    return true;
}

void source_file_expect(struct source *s, char *const *names, size_t n)
{
    struct source_file *f = (struct source_file *)s;

    upcoming_expect(&f->upcoming, names, n);
    if (f->unpackers > f->upcoming.n)
        unpacker_set_helpers(f->in.unpacker,
                             f->unpackers - 1 - (unsigned)f->upcoming.n);
}

void source_file_pause(struct source *s)
{
    struct source_file *f = (struct source_file *)s;

    unpacker_pause(f->in.unpacker);
    for (size_t i = 0; i < f->upcoming.n; i++)
        unpacker_pause(f->upcoming.file[i].unpacker);
}

void source_file_resume(struct source *s)
{
    struct source_file *f = (struct source_file *)s;

    unpacker_resume(f->in.unpacker);
    for (size_t i = 0; i < f->upcoming.n; i++)
        unpacker_resume(f->upcoming.file[i].unpacker);
}

void source_file_close(struct source *s)
{
    struct source_file *f = (struct source_file *)s;

    reader_close(&f->in);
    blocks_trim(&f->blocks);
    s->fd = -1;
}

bool source_file_is_cut(const struct source *s)
{
    const struct reader *in = &((const struct source_file *)s)->in;

    return in->waits && in->packed && decompress_is_cut(in->packed);
}

uint64_t source_file_open_quote(const struct source *s)
{
    const struct source_file *f = (const struct source_file *)s;

    return s->framing.csv && f->in.eof ? csv_open_quote(&f->csv) : 0;
}

uint64_t source_file_taken(const struct source *s)
{
    return reader_taken(&((const struct source_file *)s)->in);
}

static void free_file(struct source *s)
{
    struct source_file *f = (struct source_file *)s;

    upcoming_free(&f->upcoming);
    reader_free(&f->in);
    blocks_free(&f->blocks);
    free(f);
}

static const struct source_type file_type = {claim, load, is_ready, has_plenty,
                                             free_file};

struct source *source_file_create(const struct source_file_config *config)
{
    struct source_file *f = calloc(1, sizeof *f);
    size_t window = config->window ? config->window : READER_WINDOW;

    if (!f)
        return NULL;
    f->base = (struct source){.type = &file_type,
                              .framing = config->framing,
                              .window = window,
                              .fd = -1};
    if (reader_init(&f->in, window, config->framing.most) < 0) {
        free(f);
        return NULL;
    }
    f->base.framing.most = f->in.most;
    f->in.as_is = config->as_is;
    blocks_init(&f->blocks);
    f->unpackers = (unsigned)config->unpackers;
    f->in.blocks = config->unpackers > 0 ? &f->blocks : NULL;
    if (!config->as_is && config->unpackers > 1)
        upcoming_init(&f->upcoming, config->unpackers - 1, &f->blocks);
    return &f->base;
}
