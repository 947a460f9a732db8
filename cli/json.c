/*
 * json.c - JSON to standard output, one object per line
 */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void put_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            putchar('\\');
        if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void put_name(struct json *j, const char *name)
{
    if (j->comma)
        putchar(',');
    j->comma = true;
    if (name) {
        put_string(name);
        putchar(':');
    }
}

void json_begin(struct json *j, const char *name, char bracket)
{
    put_name(j, name);
    putchar(bracket);
    j->comma = false;
}

void json_end(struct json *j, char bracket)
{
    putchar(bracket);
    j->comma = true;
}

void json_text(struct json *j, const char *name, const char *text)
{
    put_name(j, name);
    put_string(text);
}

void json_count(struct json *j, const char *name, uint64_t count)
{
    put_name(j, name);
    printf("%" PRIu64, count);
}

void json_bool(struct json *j, const char *name, bool value)
{
    put_name(j, name);
    fputs(value ? "true" : "false", stdout);
}

void json_real(struct json *j, const char *name, double real)
{
    put_name(j, name);
    if (isfinite(real))
        printf("%.9g", real);
    else
        fputs("null", stdout);
}
