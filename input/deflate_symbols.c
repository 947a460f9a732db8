/*
 * deflate_symbols.c - decodes deflate data from its middle
 */
#include "deflate_symbols.h"

#include <stdlib.h>

enum {
    LONGEST_COPY = 258,
    EACH = 8,   /* symbols copied at once */
    USUAL = 32, /* symbols copied without a test of the length */
    /* Symbols that may be written after the last one that counts. */
    SPARE = LONGEST_COPY + USUAL + 3 * 4
};

bool deflate_symbols_init(struct deflate_symbols *s, size_t room)
{
    *s = (struct deflate_symbols){.room = room};
    s->symbol = malloc((DEFLATE_WINDOW + room + SPARE) * sizeof *s->symbol);
    if (!s->symbol)
        return false;
    for (unsigned i = 0; i < DEFLATE_WINDOW; i++)
        s->symbol[i] = (uint16_t)(DEFLATE_UNKNOWN | i);
    return true;
}

void deflate_symbols_free(struct deflate_symbols *s)
{
    free(s->symbol);
    s->symbol = NULL;
}

/* ---- Blocks with codes ------------------------------------------------ */

DEFLATE_INLINE uint32_t literal_at(const struct deflate_codes *c,
                                   const struct deflate_bits *b)
{
    return c->literal[deflate_bits_next(b, DEFLATE_LITERAL_BITS)];
}

/* Drops the codes of literals and writes them. */
DEFLATE_INLINE uint16_t *put_literals(struct deflate_bits *b, uint16_t *out,
                                      uint32_t entry)
{
    uint64_t three = (entry >> 8 & 0xff) |
                     (uint64_t)(entry >> 16 & 0xff) << 16 |
                     (uint64_t)(entry >> 24) << 32;

    memcpy(out, &three, sizeof three);
    deflate_bits_drop(b, deflate_entry_bits(entry));
    return out + deflate_entry_literals(entry);
}

/* Drops a code and returns its value, with the bits that are added to it. */
DEFLATE_INLINE unsigned take_value(struct deflate_bits *b, uint32_t entry)
{
    unsigned bits = deflate_entry_bits(entry), added = entry >> 24;
    uint64_t word = b->word >> bits;

    deflate_bits_drop(b, bits + added);
    return (entry >> 8 & 0xffff) + (unsigned)(word & ((1u << added) - 1));
}

/* Returns the entry for the rest of a code. */
DEFLATE_INLINE uint32_t further(struct deflate_bits *b, const uint32_t *table,
                                uint32_t entry)
{
    deflate_bits_drop(b, deflate_entry_bits(entry));
    return table[(entry >> 8 & 0xffff) + deflate_bits_next(b, entry >> 24)];
}

DEFLATE_INLINE uint16_t *copy(uint16_t *out, unsigned distance, unsigned len)
{
    const uint16_t *from = out - distance;
    uint16_t *end = out + len;

    if (distance < EACH) {
        while (out < end)
            *out++ = *from++;
        return end;
    }
    for (unsigned i = 0; i < USUAL; i += EACH)
        memcpy(out + i, from + i, EACH * sizeof *out);
    if (len > USUAL)
        for (unsigned i = USUAL; i < len; i += EACH)
            memcpy(out + i, from + i, EACH * sizeof *out);
    return end;
}

/* Copies what a length and the distance after it say.  Returns the end of the
   copy, or NULL if there is no such distance.  Distances are not beyond the
   window, which is in front of the symbols. */
DEFLATE_INLINE uint16_t *put_copy(struct deflate_bits *b,
                                  const struct deflate_codes *c, uint16_t *out,
                                  uint32_t entry)
{
    unsigned len = take_value(b, entry);
    uint32_t at = c->distance[deflate_bits_next(b, DEFLATE_DISTANCE_BITS)];

    if (__builtin_expect(deflate_entry_kind(at) == DEFLATE_FURTHER, 0))
        at = further(b, c->distance, at);
    if (__builtin_expect(deflate_entry_kind(at) != DEFLATE_VALUE, 0))
        return NULL;
    return copy(out, take_value(b, at), len);
}

/* Decodes a block up to its end.  Returns the place after its last symbol, or
   NULL if it is not valid, not complete, or there is no room before limit. */
static uint16_t *decode_codes(struct deflate_bits *bits,
                              const struct deflate_codes *c, uint16_t *out,
                              const uint16_t *limit)
{
    struct deflate_bits b = *bits;

    while (out && out < limit && !deflate_bits_are_over(&b)) {
        uint32_t entry;

        deflate_bits_fill(&b); /* three entries, or two and a whole code */
        entry = literal_at(c, &b);
        for (int i = 0; i < 2 && deflate_entry_literals(entry); i++) {
            out = put_literals(&b, out, entry);
            entry = literal_at(c, &b);
        }
        if (__builtin_expect(deflate_entry_kind(entry) == DEFLATE_FURTHER, 0))
            entry = further(&b, c->literal, entry);
        if (deflate_entry_literals(entry)) {
            out = put_literals(&b, out, entry);
        } else if (__builtin_expect(deflate_entry_kind(entry) == DEFLATE_VALUE,
                                    1)) {
            deflate_bits_fill(&b); /* at most 48 */
            out = put_copy(&b, c, out, entry);
        } else if (deflate_entry_kind(entry) == DEFLATE_END) {
            deflate_bits_drop(&b, deflate_entry_bits(entry));
            *bits = b;
            return out;
        } else {
            return NULL;
        }
    }
    return NULL;
}

/* ---- Blocks ----------------------------------------------------------- */

/* Decodes a block of bytes as they are. */
static uint16_t *decode_stored(struct deflate_bits *b, uint16_t *out,
                               const uint16_t *limit)
{
    unsigned len, inverse;

    deflate_bits_drop(b, b->count % 8);
    deflate_bits_fill(b);
    len = deflate_bits_take(b, 16);
    inverse = deflate_bits_take(b, 16);
    b->next -= b->count / 8;
    if (len != (~inverse & 0xffff) || b->next > b->end || out > limit ||
        len > (size_t)(b->end - b->next) || len > (size_t)(limit - out))
        return NULL;
    for (unsigned i = 0; i < len; i++)
        out[i] = b->next[i];
    b->next += len;
    b->word = 0;
    b->count = 0;
    deflate_bits_fill(b);
    return out + len;
}

enum { STORED, FIXED, DYNAMIC };

/* Decodes a block that is not the last one. */
static uint16_t *decode_block(struct deflate_bits *b, uint16_t *out,
                              const uint16_t *limit)
{
    struct deflate_lengths lengths;
    struct deflate_codes codes;
    unsigned type;

    deflate_bits_fill(b);
    if (deflate_bits_take(b, 1))
        return NULL;
    type = deflate_bits_take(b, 2);
    if (type == STORED)
        return decode_stored(b, out, limit);
    if (type == FIXED)
        deflate_lengths_fixed(&lengths);
    else if (type != DYNAMIC || !deflate_lengths_read(&lengths, b))
        return NULL;
    deflate_codes_make(&codes, &lengths);
    return decode_codes(b, &codes, out, limit);
}

void deflate_symbols_begin(struct deflate_symbols *s, uint64_t bit)
{
    s->n = 0;
    s->end = bit;
}

bool deflate_symbols_decode(struct deflate_symbols *s,
                            const unsigned char *data, size_t len)
{
    struct deflate_bits b = deflate_bits_at(data, len, s->end);
    uint16_t *first = s->symbol + DEFLATE_WINDOW;
    const uint16_t *out;

    if (s->end >= (uint64_t)len * 8)
        return false;
    out = decode_block(&b, first + s->n, first + s->room);
    if (!out || deflate_bits_position(&b) > (uint64_t)len * 8)
        return false;
    s->n = (size_t)(out - first);
    s->end = deflate_bits_position(&b);
    return true;
}

/* ---- Bytes ------------------------------------------------------------ */

void deflate_bytes_init(struct deflate_bytes *bytes)
{
    for (unsigned i = 0; i < 256; i++)
        bytes->of[i] = (unsigned char)i;
}

void deflate_bytes_pass(struct deflate_bytes *bytes,
                        const unsigned char *passed, size_t n)
{
    unsigned char *window = bytes->of + DEFLATE_UNKNOWN;

    if (n >= DEFLATE_WINDOW) {
        memcpy(window, passed + n - DEFLATE_WINDOW, DEFLATE_WINDOW);
        return;
    }
    memmove(window, window + n, DEFLATE_WINDOW - n);
    memcpy(window + DEFLATE_WINDOW - n, passed, n);
}

/* Four symbols at a time: a load for all of them, and one for each byte. */
void deflate_bytes_resolve(const struct deflate_bytes *bytes,
                           const uint16_t *symbol, size_t n, unsigned char *out)
{
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        uint64_t four;

        memcpy(&four, symbol + i, sizeof four);
        out[i] = bytes->of[four & 0xffff];
        out[i + 1] = bytes->of[four >> 16 & 0xffff];
        out[i + 2] = bytes->of[four >> 32 & 0xffff];
        out[i + 3] = bytes->of[four >> 48];
    }
    for (; i < n; i++)
        out[i] = bytes->of[symbol[i]];
}
