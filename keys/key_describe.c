/*
 * key_describe.c - describes how a key is chosen
 */
#include "key_describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { LIST = 200 }; /* bytes of a list in the description */

struct text {
    char *out;
    size_t size, len; /* len may be larger than size */
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t,
                                                      const char *format, ...)
{
    size_t at = t->len < t->size ? t->len : t->size;
    va_list args;

    va_start(args, format);
    t->len += (size_t)vsnprintf(t->out + at, t->size - at, format, args);
    va_end(args);
}

/* ---- As options ------------------------------------------------------- */

static void add_byte(struct text *t, char c)
{
    bool plain = c >= ' ' && c <= '~' && c != '%';

    add(t, plain ? "%c" : "%%%02X", (unsigned char)c);
}

static void add_space(struct text *t)
{
    if (t->len)
        add(t, " ");
}

static void add_count(struct text *t, char letter, uint64_t count)
{
    add_space(t);
    add(t, "-%c %" PRIu64, letter, count);
}

size_t key_describe_options(const struct key *key, char *out, size_t size)
{
    const struct key_settings *s = &key->settings;
    struct text t = {out, size, 0};

    if (key->type->option)
        add(&t, "--%s ", key->type->option);
    for (const char *c = key->text; *c; c++)
        add_byte(&t, *c);
    if (s->separator >= 0 && key->type->separated) {
        add(&t, " -t ");
        add_byte(&t, (char)s->separator);
    }
    if (s->skip_fields)
        add_count(&t, 'f', s->skip_fields);
    if (s->skip_bytes)
        add_count(&t, 's', s->skip_bytes);
    if (s->most_bytes != UINT64_MAX)
        add_count(&t, 'w', s->most_bytes);
    if (!t.len)
        add(&t, "%s", key->type->words);
    add(&t, "%s%s", s->fold ? " -i" : "", s->crlf ? " --crlf" : "");
    return t.len;
}

/* ---- In words --------------------------------------------------------- */

size_t key_describe_words(const struct key *key, char *out, size_t size)
{
    const struct key_settings *s = &key->settings;
    struct text t = {out, size, 0};

    add(&t, "%s%s%.*s", key->type->words, *key->text ? " " : "", LIST,
        key->text);
    add(&t, "%s%s", s->fold ? ", case ignored" : "",
        s->crlf ? ", without carriage returns" : "");
    if (s->separator >= 0 && key->type->separated)
        add(&t, ", separator \\x%02x", (unsigned)s->separator);
    if (s->skip_fields || s->skip_bytes || s->most_bytes != UINT64_MAX)
        add(&t, ", skipping %" PRIu64 " fields and %" PRIu64 " bytes",
            s->skip_fields, s->skip_bytes);
    if (s->most_bytes != UINT64_MAX)
        add(&t, ", at most %" PRIu64 " bytes", s->most_bytes);
    return t.len;
}
