/*
 * output_mode.c - what of a batch is written
 */
#include "output_mode.h"

#include "decider_local.h"

/* Is a record of this verdict shown among the new, or among the repeats? */
static bool is_shown(uint8_t verdict, bool repeats)
{
    if (verdict == VERDICT_HEADER)
        return true;
    return repeats ? verdict == VERDICT_REPEAT
                   : verdict == VERDICT_FRESH || verdict == VERDICT_PASSED;
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
        return b->verdict[i] == VERDICT_DROPPED ? 0 : len + 2;
    case SHOW_REPEATED:
    case SHOW_NOTHING:
        break;
    }
    return 0;
}

void show_note(struct pipeline *p, const struct batch *b)
{
    bool later = p->show == SHOW_REPEATED;
    uint64_t end = sink_total(&p->out);

    for (size_t i = 0, key = 0; key < b->keys; i++) {
        end += bytes_of(p, b, i);
        if (b->of[key] != i)
            continue;
        if (b->seen[key] == FRESHET_NEW)
            undo_log_add(&p->ledger, p->filter, b->hash[key],
                         later ? UNDO_LOG_LATER : end);
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

int show_kind(struct sink *s, const struct batch *b, bool repeats)
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
        const char *mark = b->verdict[i] == VERDICT_REPEAT ? "1\t" : "0\t";

        if (b->verdict[i] == VERDICT_DROPPED)
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

    if (b->first && b->verdict[0] == VERDICT_HEADER &&
        put_record(&p->out, b->record[0]) < 0)
        return -1;
    for (size_t i = 0; i < b->keys; i++)
        if (b->seen[i] == FRESHET_SEEN) {
            b->hash[n] = b->hash[i];
            if (b->time)
                b->time[n] = b->time[i];
            b->of[n++] = b->of[i];
        }
    decide_keys(p, p->repeated, b, n);
    for (size_t i = 0; p->ledger.kept && i < n; i++)
        if (b->seen[i] == FRESHET_NEW)
            undo_log_add(&p->ledger, p->repeated, b->hash[i], UNDO_LOG_LATER);
    for (size_t i = 0; i < n; i++)
        if (b->seen[i] == FRESHET_NEW &&
            put_record(&p->out, b->record[b->of[i]]) < 0)
            return -1;
    undo_log_settle(&p->ledger, sink_total(&p->out));
    return 0;
}

int show(struct pipeline *p, struct batch *b)
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
