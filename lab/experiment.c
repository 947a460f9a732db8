/*
 * experiment.c - reads experiments from options and .lab files
 */
#include "experiment.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "option.h"

/* ---- Values ----------------------------------------------------------- */

#define AT(field) offsetof(struct experiment, field)

/* Specs contain commas, so there is one per line.  The others are lists. */
enum shape { ONE, SPECS, LIST };

static const struct setting {
    struct option_spec option;
    enum shape shape;
    size_t count; /* number of items of a list */
} settings[] = {
    {{0, "stream", OPTION_TEXT, AT(stream), "SPEC", NULL}, SPECS, AT(streams)},
    {{0, "algorithm", OPTION_TEXT, AT(algorithm), "SPEC", NULL},
     SPECS,
     AT(algorithms)},
    {{0, "memory", OPTION_SIZE, AT(memory), "SIZE", NULL}, LIST, AT(memories)},
    {{0, "seeds", OPTION_POSITIVE, AT(seed), "N", NULL}, LIST, AT(seeds)},
    {{0, "error", OPTION_RATE, AT(error), "RATE", NULL}, ONE, 0},
    {{0, "expect", OPTION_POSITIVE, AT(expect), "N", NULL}, ONE, 0},
    {{0, "window", OPTION_POSITIVE, AT(window), "N", NULL}, ONE, 0},
    {{0, "goal", OPTION_CHOICE, AT(goal), "drops|fewest", NULL}, ONE, 0},
    {{0, "curve", OPTION_POSITIVE, AT(curve), "N", NULL}, ONE, 0},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static const struct setting *setting_named(const char *name)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].option.name, name) == 0)
            return &settings[i];
    return NULL;
}

static bool set_one(void *field, const struct option_spec *o, const char *value,
                    struct fault *why)
{
    if (option_parse(o, field, value))
        return true;
    fault_set(why, "%s needs %s, not '%s'", o->name, option_expected(o), value);
    return false;
}

/* Returns the place of the next item of a list, or NULL if it is full. */
static void *next_item(struct experiment *e, const struct setting *s,
                       size_t size, struct fault *why)
{
    size_t *n = (size_t *)(void *)((char *)e + s->count);

    if (*n == EXPERIMENT_LIST) {
        fault_set(why, "%s: more than %d; divide them into two experiments",
                  s->option.name, EXPERIMENT_LIST);
        return NULL;
    }
    return (char *)e + s->option.offset + size * (*n)++;
}

static bool add_spec(struct experiment *e, const struct setting *s,
                     const char *value, struct fault *why)
{
    char **item = next_item(e, s, sizeof *item, why);

    if (!item)
        return false;
    *item = strdup(value); /* analyzer: sees a leak; e owns it */
    if (!*item)
        fault_set(why, "out of memory");
    return *item != NULL;
}

/* Reads a list such as "64K, 128K". */
static bool add_list(struct experiment *e, const struct setting *s,
                     const char *value, struct fault *why)
{
    for (bool more = true; more;) {
        size_t len = strcspn(value, ",");
        char item[64];
        void *field = next_item(e, s, sizeof(uint64_t), why);

        if (!field)
            return false;
        snprintf(item, sizeof item, "%.*s", (int)len, value);
        if (!set_one(field, &s->option, item, why))
            return false;
        more = value[len] == ',';
        value += len + more;
        value += strspn(value, " \t");
    }
    return true;
}

bool experiment_set(struct experiment *e, const char *name, const char *value,
                    struct fault *why)
{
    const struct setting *s = setting_named(name);

    if (!s) {
        fault_set(why,
                  "there is no '%s'; the settings are stream, algorithm, "
                  "memory, seeds, error, expect, window, goal and curve",
                  name);
        return false;
    }
    if (s->shape == SPECS)
        return add_spec(e, s, value, why);
    if (s->shape == LIST)
        return add_list(e, s, value, why);
    if (s->option.offset == AT(expect) && strcmp(value, "truth") == 0) {
        e->expect = EXPECT_TRUTH;
        return true;
    }
    return set_one((char *)e + s->option.offset, &s->option, value, why);
}

bool experiment_complete(struct experiment *e, struct fault *why)
{
    const char *lacks = e->streams == 0      ? "stream"
                        : e->algorithms == 0 ? "algorithm"
                        : e->memories == 0   ? "memory"
                                             : NULL;

    if (e->seeds == 0)
        e->seed[e->seeds++] = 1;
    if (lacks)
        fault_set(why, "nothing to run: the %s is missing", lacks);
    return !lacks;
}

void experiment_free(struct experiment *e)
{
    for (size_t i = 0; i < e->streams; i++)
        free(e->stream[i]);
    for (size_t i = 0; i < e->algorithms; i++)
        free(e->algorithm[i]);
}

/* ---- Files ------------------------------------------------------------ */

struct reading {
    struct experiment *all;
    size_t n;
    bool named; /* a [name] was read */
};

/* Removes blanks around the text, which is changed in place. */
static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text + strspn(text, " \t\r\n");
}

static bool begin(struct reading *r, const char *name, struct fault *why)
{
    struct experiment *all = array_add(r->all, r->n, sizeof *all);

    if (!all) {
        fault_set(why, "out of memory");
        return false;
    }
    r->all = all;
    all[r->n] = (struct experiment){0};
    snprintf(all[r->n].name, sizeof all->name, "%s", name);
    r->n++;
    return true;
}

static bool read_head(struct reading *r, char *line, struct fault *why)
{
    size_t len = strlen(line);

    if (len < 3 || line[len - 1] != ']' || len - 2 >= EXPERIMENT_NAME) {
        fault_set(why, "needs a name of 1 to %d characters in brackets",
                  EXPERIMENT_NAME - 1);
        return false;
    }
    if (r->n && !r->named) {
        fault_set(why, "the lines above belong to no [name]");
        return false;
    }
    if (r->n && !experiment_complete(&r->all[r->n - 1], why))
        return false;
    line[len - 1] = '\0';
    r->named = true;
    return begin(r, line + 1, why);
}

static bool read_line(struct reading *r, char *line, struct fault *why)
{
    char *equals;

    line = trim(line);
    if (*line == '\0' || *line == '#')
        return true;
    if (*line == '[')
        return read_head(r, line, why);
    equals = strchr(line, '=');
    if (!equals) {
        fault_set(why, "must be 'name = value'");
        return false;
    }
    *equals = '\0';
    return (r->n || begin(r, "", why)) &&
           experiment_set(&r->all[r->n - 1], trim(line), trim(equals + 1), why);
}

static bool read_lines(struct reading *r, FILE *file, size_t *number,
                       struct fault *why)
{
    char *line = NULL;
    size_t size = 0;
    bool good = true;

    while (good && getline(&line, &size, file) >= 0) {
        ++*number;
        good = read_line(r, line, why);
    }
    free(line);
    if (good && ferror(file)) {
        fault_set(why, "%s", strerror(errno));
        return false;
    }
    if (good && r->n == 0)
        fault_set(why, "nothing to run");
    return good && r->n && experiment_complete(&r->all[r->n - 1], why);
}

struct experiment *experiment_read(const char *path, size_t *n,
                                   struct fault *why)
{
    FILE *file = fopen(path, "r");
    struct reading r = {0};
    struct fault inner = {""};
    size_t number = 0;
    bool good;

    if (!file) {
        fault_set(why, "%s", strerror(errno));
        return NULL;
    }
    good = read_lines(&r, file, &number, &inner);
    fclose(file);
    *n = good ? r.n : 0;
    if (good)
        return r.all;
    fault_set(why, "line %zu: %s", number, inner.text);
    while (r.n)
        experiment_free(&r.all[--r.n]);
    free(r.all);
    return NULL;
}
