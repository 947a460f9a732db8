/*
 * json_writer.c - writes JSON, one object per line
 */
#include "json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static FILE *out(const struct json *j)
{
    return j->to ? j->to : stdout;
}

static void put_string(const struct json *j, const char *text)
{
    putc('"', out(j));
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            putc('\\', out(j));
        if (c < 0x20)
            fprintf(out(j), "\\u%04x", c);
        else
            putc(c, out(j));
    }
    putc('"', out(j));
}

static void put_name(struct json *j, const char *name)
{
    if (j->comma)
        putc(',', out(j));
    j->comma = true;
    if (name) {
        put_string(j, name);
        putc(':', out(j));
    }
}

void json_begin(struct json *j, const char *name, char bracket)
{
    put_name(j, name);
    putc(bracket, out(j));
    j->comma = false;
}

void json_end(struct json *j, char bracket)
{
    putc(bracket, out(j));
    j->comma = true;
}

void json_text(struct json *j, const char *name, const char *text)
{
    put_name(j, name);
    put_string(j, text);
}

void json_count(struct json *j, const char *name, uint64_t count)
{
    put_name(j, name);
    fprintf(out(j), "%" PRIu64, count);
}

void json_bool(struct json *j, const char *name, bool value)
{
    put_name(j, name);
    fputs(value ? "true" : "false", out(j));
}

void json_real(struct json *j, const char *name, double real)
{
    put_name(j, name);
    if (isfinite(real))
        fprintf(out(j), "%.9g", real);
    else
        fputs("null", out(j));
}
