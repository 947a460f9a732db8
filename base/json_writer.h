/*
 * json_writer.h - writes JSON, one object per line
 *
 *     struct json j = {0};
 *
 *     json_begin(&j, NULL, '{');
 *     json_text(&j, "algorithm", "sbf");
 *     json_real(&j, "ns", 12.5);
 *     json_end(&j, '}');
 *     putchar('\n');
 *
 * Inside an array the name is NULL.
 */
#ifndef JSON_WRITER_H
#define JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *to;   /* NULL: standard output */
    bool comma; /* a comma is needed before the next member */
};

void json_begin(struct json *j, const char *name, char bracket);
void json_end(struct json *j, char bracket);
void json_text(struct json *j, const char *name, const char *text);
void json_count(struct json *j, const char *name, uint64_t count);
void json_bool(struct json *j, const char *name, bool value);

/* Writes a number; NaN and infinity, which JSON does not have, become null. */
void json_real(struct json *j, const char *name, double real);

#endif
