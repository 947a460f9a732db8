/*
 * option.c - parses the values of options
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "number.h"
#include "option.h"
#include "size.h"

/* Reads the number that text begins with.  It must begin with a digit or a
   point: strtod() would also accept blanks, signs, "inf" and "nan". */
static bool read_prefix(double *real, const char *text, char **end)
{
    if (!isdigit((unsigned char)*text) && *text != '.')
        return false;
    *real = strtod(text, end);
    return *end != text && isfinite(*real);
}

static bool read_real(double *real, const char *text)
{
    char *end;

    return read_prefix(real, text, &end) && *end == '\0';
}

/* Reads "1e-6", "0.1%" or "1/1000", from 0 to 1. */
static bool read_share(double *share, const char *text)
{
    double value, below = 1;
    char *end;

    if (!read_prefix(&value, text, &end))
        return false;
    if (*end == '/' && !read_prefix(&below, end + 1, &end))
        return false;
    value /= below;
    if (*end == '%') {
        value /= 100;
        end++;
    }
    if (*end || !(value >= 0 && value <= 1))
        return false;
    *share = value;
    return true;
}

/* Reads a share that is neither 0 nor 1. */
static bool read_rate(double *rate, const char *text)
{
    double value;

    if (!read_share(&value, text) || value == 0 || value == 1)
        return false;
    *rate = value;
    return true;
}

/* Reads a duration, or "none". */
static bool read_limit(uint64_t *limit, const char *text)
{
    if (strcmp(text, "none") != 0)
        return duration_read(limit, text, NULL);
    *limit = UINT64_MAX;
    return true;
}

/* Reads one byte: itself, or \t \n \r \0 \\ \xHH. */
static bool read_byte(int *byte, const char *text)
{
    static const char names[] = "tnr0\\", bytes[] = "\t\n\r\0\\";
    const char *name;

    if (text[0] && !text[1]) {
        *byte = (unsigned char)text[0];
        return true;
    }
    if (text[0] != '\\')
        return false;
    if (text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
        isxdigit((unsigned char)text[3]) && !text[4]) {
        *byte = (int)strtol(text + 2, NULL, 16);
        return true;
    }
    name = text[1] && !text[2] ? strchr(names, text[1]) : NULL;
    if (!name)
        return false;
    *byte = (unsigned char)bytes[name - names];
    return true;
}

static bool read_choice(int *choice, const char *words, const char *text)
{
    size_t len = strlen(text);

    for (int i = 0; *words; i++) {
        size_t n = strcspn(words, "|");

        if (n == len && memcmp(words, text, n) == 0) {
            *choice = i;
            return true;
        }
        words += n + (words[n] == '|');
    }
    return false;
}

static bool read_list(struct option_list *list, const char *text,
                      bool (*read)(uint64_t *, const char *))
{
    struct option_list all = {0};

    for (bool more = true; more; all.n++) {
        size_t len = strcspn(text, ",");
        char item[32];

        if (all.n == OPTION_LIST || len >= sizeof item)
            return false;
        memcpy(item, text, len);
        item[len] = '\0';
        if (!read(&all.value[all.n], item))
            return false;
        more = text[len] == ',';
        text += len + 1;
    }
    *list = all;
    return true;
}

static bool add_text(struct option_texts *texts, const char *text)
{
    if (texts->n == OPTION_TEXT_LIST)
        return false;
    texts->text[texts->n++] = text;
    return true;
}

/* The operand is "[=text|json]"; *mode becomes 1 for the first of its words. */
static bool read_mode(int *mode, const char *operand, const char *text)
{
    char words[32] = "";
    size_t len = strcspn(operand + 2, "]");

    memcpy(words, operand + 2, len < sizeof words ? len : sizeof words - 1);
    if (!read_choice(mode, words, text))
        return false;
    ++*mode;
    return true;
}

/* Sets a text, which may have to have at least one byte. */
static bool read_text(const char **out, const char *text, bool may_be_empty)
{
    *out = text;
    return may_be_empty || *text;
}

bool option_parse(const struct option_spec *option, void *field,
                  const char *text)
{
    switch (option->kind) {
    case OPTION_TEXT:
    case OPTION_FILE:
        return read_text(field, text, option->kind == OPTION_TEXT);
    case OPTION_CHOICE:
        return read_choice(field, option->operand, text);
    case OPTION_SIZE:
        return size_read(field, text);
    case OPTION_SIZES:
        return read_list(field, text, size_read);
    case OPTION_COUNT:
        return number_count(field, text);
    case OPTION_COUNTS:
        return read_list(field, text, number_count);
    case OPTION_REAL:
        return read_real(field, text);
    case OPTION_RATE:
        return read_rate(field, text);
    case OPTION_SHARE:
        return read_share(field, text);
    case OPTION_POSITIVE:
        return number_count(field, text) && *(uint64_t *)field > 0;
    case OPTION_MEMORY:
        return size_read_memory(field, text);
    case OPTION_DURATION:
        return duration_read(field, text, NULL);
    case OPTION_LIMIT:
        return read_limit(field, text);
    case OPTION_BYTE:
        return read_byte(field, text);
    case OPTION_TEXTS:
        return add_text(field, text);
    case OPTION_MODE:
        return read_mode(field, option->operand, text);
    case OPTION_SWITCH:
    case OPTION_REFUSED:
    case OPTION_HEADING:
        break;
    }
    return false;
}

const char *option_expected(const struct option_spec *option)
{
    static const char *const wanted[] = {
        [OPTION_SWITCH] = "nothing",
        [OPTION_TEXT] = "text",
        [OPTION_FILE] = "the name of a file",
        [OPTION_SIZE] = "a size such as 64M",
        [OPTION_SIZES] = "sizes such as 16M,1G",
        [OPTION_COUNT] = "a whole number",
        [OPTION_COUNTS] = "whole numbers such as 256,1",
        [OPTION_REAL] = "a number, 0 or more",
        [OPTION_RATE] = "a rate between 0 and 1",
        [OPTION_SHARE] = "a share from 0 to 1, such as 15%",
        [OPTION_POSITIVE] = "a whole number above 0",
        [OPTION_MEMORY] = "a size such as 64M or 25%",
        [OPTION_DURATION] = "a time such as 30s, 5m, 24h or 7d",
        [OPTION_LIMIT] = "a time such as 5m or 1h, or none",
        [OPTION_BYTE] = "one byte, such as ',' or '\\t' or '\\x1f'",
        [OPTION_TEXTS] = "at most 64 values",
        [OPTION_MODE] = "text or json",
        [OPTION_HEADING] = "nothing",
    };

    return wanted[option->kind] ? wanted[option->kind] : option->operand;
}
