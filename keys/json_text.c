/*
 * json_text.c - the tokens of JSON: strings, escapes, numbers, literals
 */
#include "json_text.h"

#include <stdint.h>
#include <string.h>

/* Returns 0 to 15, or -1. */
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *json_escape_end(const char *p, const char *end)
{
    if (end - p < 2)
        return NULL;
    if (p[1] != 'u')
        return p[1] && strchr("\"\\/bfnrt", p[1]) ? p + 2 : NULL;
    if (end - p < 6)
        return NULL;
    for (int i = 2; i < 6; i++)
        if (hex_digit(p[i]) < 0)
            return NULL;
    return p + 6;
}

static const char *digits_end(const char *p, const char *end)
{
    const char *start = p;

    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p > start ? p : NULL;
}

const char *json_number_end(const char *p, const char *end)
{
    if (p < end && *p == '-')
        p++;
    /* No digit may follow a leading zero: 012 is no number. */
    p = p < end && *p == '0' ? p + 1 : digits_end(p, end);
    if (p && p < end && *p == '.')
        p = digits_end(p + 1, end);
    if (p && p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        p = digits_end(p, end);
    }
    return p;
}

const char *json_literal_end(const char *p, const char *end)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = strlen(words[i]);

        if ((size_t)(end - p) >= len && memcmp(p, words[i], len) == 0)
            return p + len;
    }
    return NULL;
}

/* Returns the value of the four digits of a checked \uXXXX. */
static uint32_t unit_at(const char *p)
{
    uint32_t unit = 0;

    for (int i = 2; i < 6; i++)
        unit = unit << 4 | (uint32_t)hex_digit(p[i]);
    return unit;
}

static size_t put_utf8(char out[4], uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint32_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = n; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[n] | c);
    return n;
}

/* Decodes one character of a checked string into out and moves *p past it. */
static size_t decode_one(char out[4], const char **p, const char *end)
{
    static const char letters[] = "bfnrt", stand_for[] = "\b\f\n\r\t";
    const char *letter, *at = *p;
    uint32_t c, low;

    if (*at != '\\' || at[1] != 'u') {
        *p += *at == '\\' ? 2 : 1;
        letter = *at == '\\' ? strchr(letters, at[1]) : NULL;
        out[0] = letter ? stand_for[letter - letters] : (*p)[-1];
        return 1;
    }
    c = unit_at(at);
    *p += 6;
    if (c >> 10 == 0xd800 >> 10 && end - *p >= 6 && (*p)[0] == '\\' &&
        (*p)[1] == 'u') {
        low = unit_at(*p);
        if (low >> 10 == 0xdc00 >> 10) {
            c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
            *p += 6;
        }
    }
    return put_utf8(out, c);
}

/* Copies the bytes before the next backslash, and moves *p to it.  Returns the
   end of the copy. */
static char *copy_plain(char *out, const char **p, const char *end)
{
    const char *plain = scan_byte(*p, end, '\\');
    size_t n = (size_t)(plain - *p);

    memcpy(out, *p, n);
    *p = plain;
    return out + n;
}

size_t json_decode(char *out, const char *raw, size_t len)
{
    const char *p = raw, *end = raw + len;
    char *to = out;

    for (to = copy_plain(to, &p, end); p < end; to = copy_plain(to, &p, end)) {
        char one[4];
        size_t n = decode_one(one, &p, end);

        memcpy(to, one, n);
        to += n;
    }
    return (size_t)(to - out);
}

/* Writes one byte of a string, escaped if necessary. */
static size_t put_escaped(char *out, char c)
{
    static const char letters[] = "\"\\bfnrt", stand_for[] = "\"\\\b\f\n\r\t";
    static const char hex[] = "0123456789abcdef";
    const char *found = c ? strchr(stand_for, c) : NULL;

    out[0] = '\\';
    if (found) {
        out[1] = letters[found - stand_for];
        return 2;
    }
    if ((unsigned char)c >= 0x20) {
        out[0] = c;
        return 1;
    }
    /* JSON text has no zero at its end.
       NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    memcpy(out + 1, "u00", 3);
    out[4] = hex[c >> 4];
    out[5] = hex[c & 15];
    return 6;
}

size_t json_respell(char *out, const char *raw, size_t len)
{
    const char *p = raw, *end = raw + len;
    char *to = out;

    for (to = copy_plain(to, &p, end); p < end; to = copy_plain(to, &p, end)) {
        char one[4];
        size_t n = decode_one(one, &p, end);

        if (n == 1)
            n = put_escaped(to, one[0]);
        else
            memcpy(to, one, n);
        to += n;
    }
    return (size_t)(to - out);
}

bool json_decodes_to(struct view raw, struct view name)
{
    const char *p = raw.at, *end = raw.at + raw.len;
    size_t at = 0;

    while (p < end) {
        char one[4];
        size_t n = decode_one(one, &p, end);

        if (name.len - at < n || memcmp(name.at + at, one, n) != 0)
            return false;
        at += n;
    }
    return at == name.len;
}
