/*
 * key_note.c - describes how keys were chosen, in text that is saved with the
 * filter
 */
#include "key_note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_describe.h"

static const char magic[8] = "frnotes";

enum { VERSION = 1, HEAD = 16, SUM = sizeof(freshet_hash) };

static const char *const names[NOTE_KINDS] = {"keys",  "rules", "records",
                                              "clock", "from",  "to",
                                              "group", "place"};

const char *key_note_name(enum note kind)
{
    return names[kind];
}

/* ---- Writing ---------------------------------------------------------- */

/* Once something did not fit, nothing more is written. */
static void put(struct key_note *n, const char *text, size_t len)
{
    if (len > KEY_NOTE_MOST - n->len) {
        n->len = KEY_NOTE_MOST;
        return;
    }
    memcpy(n->text + n->len, text, len);
    n->len += len;
}

__attribute__((format(printf, 2, 3))) static void append(struct key_note *n,
                                                         const char *format,
                                                         ...)
{
    char text[80];
    va_list ap;
    int len;

    va_start(ap, format);
    len = vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    put(n, text, (size_t)len);
}

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '%';
}

static void append_byte(struct key_note *n, char c)
{
    if (is_plain(c))
        put(n, &c, 1);
    else
        append(n, "%%%02X", (unsigned)(unsigned char)c);
}

static void append_keys(struct key_note *n, const struct key *key)
{
    size_t room = sizeof n->text - n->len;
    size_t len = key_describe_options(key, n->text + n->len, room);

    n->len = len < room ? n->len + len : KEY_NOTE_MOST;
}

bool key_note_make(struct key_note *n, const struct key *key, char delimiter)
{
    n->len = 0;
    append(n, "%s ", names[NOTE_KEYS]);
    append_keys(n, key);
    if (key->rules > 1)
        append(n, "\n%s %u", names[NOTE_RULES], key->rules);
    append(n, "\n%s ", names[NOTE_RECORDS]);
    if (delimiter == '\n')
        append(n, "newline");
    else if (delimiter == '\0')
        append(n, "NUL");
    else
        append_byte(n, delimiter);
    append(n, "\n");
    return n->len < KEY_NOTE_MOST;
}

bool key_note_add(struct key_note *n, enum note kind, const char *text)
{
    append(n, "%s ", names[kind]);
    for (; *text; text++)
        append_byte(n, *text);
    append(n, "\n");
    return n->len < KEY_NOTE_MOST;
}

size_t key_note_pack(const struct key_note *n, const freshet *f,
                     char out[KEY_NOTE_BYTES])
{
    uint32_t version = VERSION, len = (uint32_t)n->len;
    freshet_hash sum;

    memcpy(out, magic, 8);
    memcpy(out + 8, &version, 4);
    memcpy(out + 12, &len, 4);
    memcpy(out + HEAD, n->text, n->len);
    sum = freshet_hash_key(f, out, HEAD + n->len);
    memcpy(out + HEAD + n->len, &sum, SUM);
    return HEAD + n->len + SUM;
}

/* ---- Reading ---------------------------------------------------------- */

/* Reads the next line of the given kind, or of any; at moves past it. */
static bool read_line(const char **at, const char *end, const char *name,
                      struct view *value)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    size_t len = strlen(name);

    if (!stop || (size_t)(stop - *at) <= len || memcmp(*at, name, len) != 0 ||
        (*at)[len] != ' ')
        return false;
    *value = (struct view){*at + len + 1, (size_t)(stop - *at) - len - 1};
    *at = stop + 1;
    return true;
}

struct view key_note_line(const struct key_note *n, enum note kind)
{
    const char *at = n->text, *end = n->text + n->len;
    struct view value = {NULL, 0};

    for (int i = 0; i <= (int)kind; i++) {
        value = (struct view){NULL, 0};
        (void)read_line(&at, end, names[i], &value);
    }
    return value;
}

unsigned key_note_rules(const struct key_note *n)
{
    struct view rules = key_note_line(n, NOTE_RULES);

    if (!key_note_line(n, NOTE_KEYS).at)
        return 0;
    return rules.at ? (unsigned)strtoul(rules.at, NULL, 10) : 1;
}

/* Returns whether the lines are of known kinds, each at most once and in order,
   and of printable bytes. */
static bool is_valid(const struct key_note *n)
{
    const char *at = n->text, *end = n->text + n->len;
    struct view value;

    for (int i = 0; i < NOTE_KINDS; i++)
        (void)read_line(&at, end, names[i], &value);
    for (const char *c = n->text; c < end; c++)
        if (!is_plain(*c) && *c != '%' && *c != '\n')
            return false;
    return at == end;
}

size_t key_note_unpack(struct key_note *n, const freshet *f, const char *at,
                       size_t len, struct fault *why)
{
    uint32_t version, bytes;
    freshet_hash sum;

    if (len < HEAD + SUM || memcmp(at, magic, sizeof magic) != 0)
        return fault_set(why, "damaged: unknown data follows the filter");
    memcpy(&version, at + 8, 4);
    memcpy(&bytes, at + 12, 4);
    if (version != VERSION)
        return fault_set(why, "its notes were written by a newer freshet");
    if (bytes > KEY_NOTE_MOST || bytes > len - HEAD - SUM)
        return fault_set(why, "damaged: its notes are cut short");
    sum = freshet_hash_key(f, at, HEAD + bytes);
    if (memcmp(&sum, at + HEAD + bytes, SUM) != 0)
        return fault_set(why, "damaged: the checksum of its notes does not "
                              "match");
    n->len = bytes;
    memcpy(n->text, at + HEAD, bytes);
    if (!is_valid(n))
        return fault_set(why, "its notes have lines that this freshet does not "
                              "know");
    return HEAD + bytes + SUM;
}
