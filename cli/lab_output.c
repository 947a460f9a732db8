/*
 * lab_output.c - the file of results of the laboratory's commands
 */
#include "lab_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "machine.h"

/* Formats command, machine and build as comments of a file. */
static bool comments(char **out, const char *command)
{
    struct machine m;
    size_t size;
    FILE *to = open_memstream(out, &size);

    if (!to)
        return false;
    machine_read(&m);
    fprintf(to, "# command  %s\n# machine  %s, %ld cores, huge pages: %s\n",
            command, m.cpu, m.cores, m.huge_pages);
    fprintf(to, "# build    freshet %s, %s, %s\n", freshet_version(),
            m.compiler, m.flags);
    return fclose(to) == 0;
}

int lab_output_open(struct lab_output *o, const char *command)
{
    struct fault why;
    char *text = NULL;
    bool good;

    if (!o->path)
        return CLI_GO;
    if (!comments(&text, command))
        return cli_fail("out of memory");
    good = results_open(&o->results, o->path, text, &why);
    free(text);
    return good ? CLI_GO : cli_fail("%s: %s", o->path, why.text);
}

void lab_output_reuse(const struct lab_output *o, struct grid *g)
{
    for (size_t i = 0; i < g->cells; i++) {
        struct cell *c = &g->cell[i];
        const struct row *row = results_find(&o->results, &c->input);
        size_t points = c->measure.points;

        if (row && (size_t)(row - o->results.row) >= points &&
            row_same_input(row - points, row))
            grid_reuse(c, row - points, points + 1);
    }
}

size_t lab_output_jobs(const struct lab_output *o)
{
    return o->jobs ? o->jobs : machine_threads();
}

static int store_cell(void *context, struct cell *c)
{
    struct lab_output *o = context;
    bool old = c->together == 0; /* read from the file, not measured now */
    struct fault why;

    if (o->path && !old && !results_add(&o->results, c->row, c->rows, &why))
        return cli_fail("%s: %s", o->path, why.text);
    return o->done(o->context, c);
}

int lab_output_run(struct lab_output *o, struct grid *g)
{
    struct fault why;
    int status = grid_run(g, lab_output_jobs(o), store_cell, o, &why);

    return status < 0 ? cli_fail("%s", why.text) : status;
}

void lab_output_close(struct lab_output *o)
{
    results_close(&o->results);
}
