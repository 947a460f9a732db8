/*
 * cell_rows.c - makes the rows of a measured cell
 */
#include "cell_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "lower_bound.h"

/* The columns of each kind of error are consecutive. */
enum { WRONG, RATE, LOW, HIGH };

static void put_rate(struct row *row, enum row_column n, uint64_t wrong,
                     uint64_t of)
{
    struct audit_rate r = audit_rate_of(wrong, of);
    enum row_column first = n + 1;

    row_set(row, n, "%" PRIu64, of);
    row_set(row, first + WRONG, "%" PRIu64, wrong);
    if (of == 0)
        return;
    row_real(row, first + RATE, r.rate);
    row_real(row, first + LOW, r.low);
    row_real(row, first + HIGH, r.high);
}

static void put_point(struct row *row, const struct cell *c,
                      const struct measure_point *p)
{
    const freshet_info *info = &c->measure.info;

    row_set(row, ROW_CHOSEN, "%s", info->algorithm);
    row_set(row, ROW_PARAMS, "%s", info->params);
    row_set(row, ROW_BYTES, "%" PRIu64, info->memory);
    row_set(row, ROW_RECORDS, "%" PRIu64, p->tally.records);
    put_rate(row, ROW_NEW, error_count_drops(&p->tally),
             error_count_new(&p->tally));
    put_rate(row, ROW_REPEATS, error_count_passes(&p->tally), p->tally.repeats);
    row_real(row, ROW_FILL, p->fill);
}

void cell_theory(struct row *row, const struct measure *m)
{
    const freshet_rates *own = &m->theory, *printed = &m->published;

    row_real(row, ROW_THEORY_FPR, own->false_drop);
    row_real(row, ROW_THEORY_FNR, own->false_pass);
    if (own->theory)
        row_set(row, ROW_THEORY, "%s", own->theory);
    row_real(row, ROW_STABLE_FILL, m->stable_fill);
    row_real(row, ROW_STABLE_AFTER, m->stable_after);
    /* A published formula that is the same as ours is not repeated. */
    if (printed->theory && own->theory &&
        strcmp(printed->theory, own->theory) == 0)
        return;
    row_real(row, ROW_PUBLISHED_FPR, printed->false_drop);
    row_real(row, ROW_PUBLISHED_FNR, printed->false_pass);
}

/*
 * Computes the bits for each key that repeats come from, and the fewest bits of
 * any structure with the rates of the second half, if all these keys are
 * equally likely to repeat.  If repeats come from all keys so far, the
 * structure holds at least those of the first half during the second.  The
 * upper end of each rate's interval is used, so that chance does not raise the
 * bound.
 */
static void put_bits(struct row *row, const struct measure *m)
{
    uint64_t reach = m->stream->reach;
    bool all = reach == 0 || reach == UINT64_MAX;
    double keys = all ? (double)error_count_new(&m->end.tally) : (double)reach;
    double held = all ? (double)m->keys_by_half : (double)reach;
    double drop = audit_rate_of(error_count_drops(&m->steady),
                                error_count_new(&m->steady))
                      .high;
    double pass =
        audit_rate_of(error_count_passes(&m->steady), m->steady.repeats).high;

    row_real(row, ROW_BITS, (double)m->info.memory * 8 / keys);
    if (reach)
        row_real(row, ROW_FLOOR, floor_bits(drop, pass) * held / keys);
}

static void put_whole(struct row *row, const struct cell *c)
{
    const struct measure *m = &c->measure;

    put_point(row, c, &m->end);
    put_rate(row, ROW_STEADY_NEW, error_count_drops(&m->steady),
             error_count_new(&m->steady));
    put_rate(row, ROW_STEADY_REPEATS, error_count_passes(&m->steady),
             m->steady.repeats);
    put_bits(row, m);
    cell_theory(row, m);
    row_real(row, ROW_NS, m->time.filter);
    row_real(row, ROW_HASH_NS, m->time.hash);
    row_real(row, ROW_TOTAL_NS, m->time.total);
    row_set(row, ROW_TOGETHER, "%u", c->together);
    if (!m->random31)
        row_real(row, ROW_SEARCH, m->info.search);
}

bool cell_make_rows(struct cell *c)
{
    const struct measure *m = &c->measure;
    struct row *row = malloc((m->points + 1) * sizeof *row);

    if (!row)
        return false;
    for (uint64_t i = 0; i <= m->points; i++) {
        row[i] = c->input;
        if (i == m->points) {
            put_whole(&row[i], c);
            continue;
        }
        row_set(&row[i], ROW_POINT, "%" PRIu64, i + 1);
        put_point(&row[i], c, &m->point[i]);
    }
    c->row = row;
    c->rows = m->points + 1;
    return true;
}
