/*
 * bf_args.c - the shape of a filter in the arguments of BF.* commands
 */
#include "bf_args.h"

#include <stdlib.h>
#include <strings.h>

#include "number.h"
#include "reply.h"

enum { MAX_CAPACITY = 1 << 30, MAX_EXPANSION = 32768 };

static const double MAX_ERROR = 0.25;

struct bf_shape bf_default_shape = {.error = 0.01,
                                    .capacity = 100,
                                    .growth = 2,
                                    .scaling = true};

static bool complain(rm_ctx *ctx, const char *text)
{
    reply_error(ctx, "%s", text);
    return false;
}

bool bf_read_error(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                   const struct bf_complaints *c)
{
    if (rm.StringToDouble(text, &shape->error) != RM_OK)
        return complain(ctx, c->error);
    if (!(shape->error > 0 && shape->error < 1))
        return complain(ctx, "ERR error rate must be in the range (0.000000, "
                             "1.000000)");
    if (shape->error > MAX_ERROR) {
        rm.Log(ctx, "warning", "BF: an error rate of %g is taken as %g",
               shape->error, MAX_ERROR);
        shape->error = MAX_ERROR;
    }
    return true;
}

bool bf_read_capacity(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                      const struct bf_complaints *c)
{
    long long capacity;

    if (rm.StringToLongLong(text, &capacity) != RM_OK)
        return complain(ctx, c->capacity);
    if (capacity < 1 || capacity > MAX_CAPACITY)
        return complain(ctx, "ERR capacity must be in the range [1, "
                             "1073741824]");
    shape->capacity = (uint64_t)capacity;
    return true;
}

bool bf_read_expansion(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                       const struct bf_complaints *c)
{
    long long expansion;

    if (rm.StringToLongLong(text, &expansion) != RM_OK)
        return complain(ctx, c->expansion);
    if (expansion < 0 || expansion > MAX_EXPANSION)
        return complain(ctx, "ERR expansion must be in the range [0, 32768]");
    if (expansion > 0)
        shape->growth = (uint32_t)expansion;
    shape->scaling = expansion > 0;
    return true;
}

/* ---- Defaults ---------------------------------------------------------- */

static bool read_count(uint64_t *count, const char *text, uint64_t least,
                       uint64_t most)
{
    uint64_t n = 0;

    if (!*text)
        return false;
    for (; *text; text++)
        if (!number_is_digit(*text) || !number_append(&n, *text))
            return false;
    if (n < least || n > most)
        return false;
    *count = n;
    return true;
}

static bool read_rate(double *rate, const char *text)
{
    char *end;
    double x = strtod(text, &end);

    if (end == text || *end || !(x > 0 && x < 1))
        return false;
    *rate = x > MAX_ERROR ? MAX_ERROR : x;
    return true;
}

static bool is_one_of(const char *name, const char *a, const char *b)
{
    return strcasecmp(name, a) == 0 || strcasecmp(name, b) == 0;
}

const char *bf_set_default(const char *name, const char *text)
{
    struct bf_shape *shape = &bf_default_shape;
    uint64_t n;

    if (is_one_of(name, "bf-error-rate", "ERROR_RATE"))
        return read_rate(&shape->error, text) ? NULL : "a rate between 0 and 1";
    if (is_one_of(name, "bf-initial-size", "INITIAL_SIZE"))
        return read_count(&shape->capacity, text, 1, MAX_CAPACITY)
                   ? NULL
                   : "a capacity from 1 to 1073741824";
    if (!is_one_of(name, "bf-expansion-factor", "EXPANSION"))
        return "a name: ERROR_RATE, INITIAL_SIZE or EXPANSION";
    if (!read_count(&n, text, 0, MAX_EXPANSION))
        return "an expansion from 0 to 32768";
    shape->scaling = n > 0;
    if (n > 0)
        shape->growth = (uint32_t)n;
    return NULL;
}
