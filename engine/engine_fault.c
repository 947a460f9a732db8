/*
 * engine_fault.c - explains why a window could not be read or decided
 * completely
 */
#include <inttypes.h>

#include "engine_internal.h"

/* Returns the number of the record at which a window ends; the first record of
   an input, which may be a header, has number 1. */
static uint64_t trouble_record(const struct window *w)
{
    return w->first_record + w->n + 1;
}

/* Returns the offset in the input of the record at which a window ends. */
static uint64_t trouble_offset(const struct window *w)
{
    const struct chunk *c = &w->chunk;

    return c->offset + (w->n < c->n ? (uint64_t)(c->record[w->n].at - c->buffer)
                                    : c->start);
}

enum engine_status engine_status_of(enum window_trouble trouble)
{
    if (trouble == WINDOW_TOO_LONG || trouble == WINDOW_UNREAD)
        return ENGINE_INPUT;
    return trouble == WINDOW_UNDECIDED ? ENGINE_UNDECIDED : ENGINE_FAILED;
}

static void explain_too_long(struct fault *why, const struct source *in,
                             const struct window *w)
{
    if (w->chunk.open_quote)
        fault_set(why,
                  "%s: the quote that opens in line %" PRIu64 " is not closed "
                  "within %zu bytes; close it, or allow longer records with "
                  "--max-record",
                  in->name, w->chunk.open_quote, in->framing.most);
    else
        fault_set(why,
                  "%s: record %" PRIu64 " at byte %" PRIu64 " is longer than "
                  "%zu bytes; allow longer ones with --max-record",
                  in->name, trouble_record(w), trouble_offset(w),
                  in->framing.most);
}

void engine_explain(struct engine *e, const struct window *w)
{
    const char *name = e->in->name;

    switch (w->trouble) {
    case WINDOW_FINE:
        break;
    case WINDOW_MALFORMED:
        fault_set(&e->why,
                  "%s: record %" PRIu64 " at byte %" PRIu64 " %s; "
                  "use --malformed=pass or drop to continue",
                  name, trouble_record(w), trouble_offset(w), w->words);
        break;
    case WINDOW_TOO_LONG:
        explain_too_long(&e->why, e->in, w);
        break;
    case WINDOW_UNREAD:
    case WINDOW_UNDECIDED:
        e->why = w->why;
        break;
    case WINDOW_NO_MEMORY:
        fault_set(&e->why, "%s: no memory for a key", name);
        break;
    }
}
