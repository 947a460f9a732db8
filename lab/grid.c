/*
 * grid.c - makes the cells of experiments
 */
#include "grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "machine.h"
#include "random31.h"
#include "size.h"

/* ---- Adding cells ----------------------------------------------------- */

static struct stream *new_stream(struct grid *g, struct fault *why)
{
    struct stream **all =
        array_add(g->stream, g->streams, sizeof(struct stream *));

    if (all) {
        g->stream = all;
        all[g->streams] = calloc(1, sizeof **all);
    }
    if (!all || !all[g->streams]) {
        fault_set(why, "out of memory");
        return NULL;
    }
    return all[g->streams++];
}

static struct cell *new_cell(struct grid *g, struct fault *why)
{
    struct cell *cell = array_add(g->cell, g->cells, sizeof *cell);

    if (!cell) {
        fault_set(why, "out of memory");
        return NULL;
    }
    g->cell = cell;
    g->cell[g->cells] = (struct cell){0};
    return &g->cell[g->cells++];
}

static void describe(struct cell *c, const struct experiment *e,
                     const struct grid_recording *from)
{
    const freshet_options *o = &c->measure.options;
    struct row *row = &c->input;

    row_clear(row);
    row_set(row, ROW_EXPERIMENT, "%s", e->name);
    row_set(row, ROW_STREAM, "%s", c->stream->spec);
    row_set(row, ROW_KEY, "%s", from ? from->key : "");
    row_set(row, ROW_ALGORITHM, "%s", c->spec.label);
    row_set(row, ROW_MEMORY, "%" PRIu64, o->memory);
    row_set(row, ROW_SEED, "%" PRIu64, o->seed);
    if (e->error > 0)
        row_real(row, ROW_ERROR, e->error);
    if (o->expect)
        row_set(row, ROW_EXPECT, "%" PRIu64, o->expect);
    if (o->window)
        row_set(row, ROW_WINDOW, "%" PRIu64, o->window);
    row_set(row, ROW_GOAL, "%s", e->goal ? "fewest" : "drops");
    if (e->curve)
        row_set(row, ROW_CURVE, "%" PRIu64, e->curve);
    row_set(row, ROW_VERSION, "%s", freshet_version());
}

/* Checks that the filter can be made, and that there is memory for it. */
static bool check(struct cell *c, bool skip, struct fault *why)
{
    freshet_planned planned = {.size = sizeof planned};
    char need[SIZE_TEXT], filter[SIZE_TEXT], truth[SIZE_TEXT], left[SIZE_TEXT];
    freshet_error err;
    uint64_t available = machine_free_memory();

    c->measure.options.algorithm = c->spec.algorithm;
    if (freshet_plan(&planned, &c->measure.options, &err) < 0) {
        /* analyzer: sees a leak; the cell owns it */
        c->skipped = skip ? strdup(err.message) : NULL;
        c->state = CELL_DONE;
        fault_set(why, "%s: %s", c->spec.label, err.message);
        return c->skipped != NULL;
    }
    if (c->measure.random31 && planned.params[0] == 'd' &&
        strncmp(planned.params, "d=1,", 4) != 0) {
        fault_set(why, "%s: its cells have one bit, d=1", c->spec.label);
        return false;
    }
    c->filter = planned.bytes;
    c->need = planned.bytes + c->stream->truth + sizeof(struct key_reader);
    if (c->measure.random31)
        c->need += random31_memory(planned.bytes);
    if (c->need <= available)
        return true;
    fault_set(why,
              "%s at %s needs %s of memory, %s for the filter and %s to find "
              "the repeats of %.80s; %s are left",
              c->spec.label, size_text(filter, c->measure.options.memory),
              size_text(need, c->need), size_text(filter, c->filter),
              size_text(truth, c->stream->truth), c->stream->spec,
              size_text(left, available));
    return false;
}

static bool add_cell(struct grid *g, const struct experiment *e,
                     const struct grid_recording *from,
                     const struct stream *stream, const size_t at[3], bool skip,
                     struct fault *why)
{
    struct cell *c = new_cell(g, why);
    freshet_options *o;

    if (!c)
        return false;
    c->stream = c->measure.stream = stream;
    c->spec = algorithm_spec_of(e->algorithm[at[0]], !skip);
    random31_of(c->spec.algorithm, &c->measure.random31);
    c->measure.points = e->curve;
    o = &c->measure.options;
    *o = (freshet_options){
        .size = sizeof *o,
        .params = c->spec.params,
        .memory = e->memory[at[1]],
        .false_drop_rate = e->error,
        .expect = e->expect == EXPECT_TRUTH ? stream->distinct : e->expect,
        .window = e->window,
        .seed = e->seed[at[2]],
        .goal = (uint32_t)e->goal,
    };
    describe(c, e, from);
    return check(c, skip, why);
}

/* Adds all algorithms in all memories, on one stream. */
static bool add_stream(struct grid *g, const struct experiment *e,
                       const struct grid_recording *from,
                       const struct stream *s, size_t seed, bool skip,
                       struct fault *why)
{
    for (size_t m = 0; m < e->memories; m++)
        for (size_t a = 0; a < e->algorithms; a++)
            if (!add_cell(g, e, from, s, (size_t[]){a, m, seed}, skip, why))
                return false;
    return true;
}

static bool add_recording(struct grid *g, const struct experiment *e,
                          const struct grid_recording *from, bool skip,
                          struct fault *why)
{
    struct stream *s = new_stream(g, why);

    if (!s)
        return false;
    stream_of_recording(s, from->recording, from->name);
    for (size_t i = 0; i < e->seeds; i++)
        if (e->seed[i] == from->seed &&
            !add_stream(g, e, from, s, i, skip, why))
            return false;
    return true;
}

bool grid_add(struct grid *g, const struct experiment *e,
              const struct grid_recording *from, bool skip, struct fault *why)
{
    if (from)
        return add_recording(g, e, from, skip, why);
    for (size_t i = 0; i < e->streams; i++)
        for (size_t seed = 0; seed < e->seeds; seed++) {
            struct stream *s = new_stream(g, why);

            if (!s || !stream_of_spec(s, e->stream[i], e->seed[seed], why) ||
                !add_stream(g, e, NULL, s, seed, skip, why))
                return false;
        }
    return true;
}

void grid_reuse(struct cell *c, const struct row *row, size_t rows)
{
    c->row = malloc(rows * sizeof *row);
    if (!c->row)
        return; /* it is measured again */
    memcpy(c->row, row, rows * sizeof *row);
    c->rows = rows;
    c->state = CELL_DONE;
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->cells; i++) {
        free(g->cell[i].skipped);
        free(g->cell[i].row);
        free(g->cell[i].measure.point);
    }
    for (size_t i = 0; i < g->streams; i++)
        free(g->stream[i]);
    free(g->stream);
    free(g->cell);
}
