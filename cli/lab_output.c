/*
 * lab_output.c - what the laboratory's commands that measure have in common
 */
#include "lab_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "machine.h"

/* Command, machine and build, as comments. */
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

int lab_output_open(struct results *r, const char *path, const char *command)
{
    struct fault why;
    char *text = NULL;
    bool good;

    if (!comments(&text, command))
        return cli_fail("out of memory");
    good = results_open(r, path, text, &why);
    free(text);
    return good ? CLI_GO : cli_fail("%s: %s", path, why.text);
}

void lab_output_take(const struct results *r, struct grid *g)
{
    for (size_t i = 0; i < g->cells; i++) {
        struct cell *c = &g->cell[i];
        const struct row *row = results_find(r, &c->input);
        size_t points = c->measure.points;

        if (row && (size_t)(row - r->row) >= points &&
            row_same_input(row - points, row))
            grid_take(c, row - points, points + 1);
    }
}

size_t lab_output_jobs(uint64_t asked)
{
    return asked ? asked : machine_threads();
}
