/*
 * deflate_codes.c - the Huffman codes of a block of deflate data
 */
#include "deflate_codes.h"

/* A third code is that of the lengths of the other two. */
enum { LONGEST = 15, ORDERS = 19, ORDER_BITS = 7 };

/* ---- Tables ----------------------------------------------------------- */

/* A table in the making, for n symbols with codes of these lengths. */
struct table {
    uint32_t *entry;
    unsigned bits; /* bits of input that choose an entry */
    const uint8_t *length;
    unsigned n;
    unsigned used;               /* entries so far */
    unsigned count[LONGEST + 1]; /* symbols to be added, by length */
};

/* Sorts the symbols by the lengths of their codes.  Returns how many have
   one. */
static unsigned sort(struct table *t, uint16_t *symbol)
{
    unsigned first[LONGEST + 1] = {0}, n = 0;

    for (unsigned i = 0; i < t->n; i++)
        t->count[t->length[i]]++;
    for (unsigned bits = 1; bits <= LONGEST; bits++) {
        first[bits] = n;
        n += t->count[bits];
    }
    for (unsigned i = 0; i < t->n; i++)
        if (t->length[i])
            symbol[first[t->length[i]]++] = (uint16_t)i;
    return n;
}

/* Returns the bits of a code in the order in which they are read. */
static unsigned reversed(unsigned code, unsigned bits)
{
    unsigned result = 0;

    for (; bits; bits--, code >>= 1)
        result = result << 1 | (code & 1);
    return result;
}

static void fill(uint32_t *entry, unsigned n, unsigned from, unsigned step,
                 uint32_t value)
{
    for (unsigned i = from; i < n; i += step)
        entry[i] = value;
}

/* Returns how many bits more than the table chooses by the longest code has
   that begins as the next one, which has this many bits more. */
static unsigned most_further(const struct table *t, unsigned further)
{
    int left = 1 << further;

    while (t->bits + further < LONGEST) {
        left -= (int)t->count[t->bits + further];
        if (left <= 0)
            break;
        further++;
        left <<= 1;
    }
    return further;
}

/* Adds a code of more bits than the table chooses by. */
static void add_further(struct table *t, unsigned code, unsigned bits,
                        uint32_t value)
{
    unsigned read = reversed(code, bits), further = bits - t->bits;
    uint32_t *first = &t->entry[read & ((1u << t->bits) - 1)];

    if (deflate_entry_kind(*first) != DEFLATE_FURTHER) {
        unsigned most = most_further(t, further);

        *first = (uint32_t)t->used << 8 | (uint32_t)most << 24 |
                 DEFLATE_FURTHER << 6 | t->bits;
        t->used += 1u << most;
    }
    fill(t->entry + (*first >> 8 & 0xffff), 1u << (*first >> 24),
         read >> t->bits, 1u << further, value | further);
}

/* Codes count up, from the shortest to the longest. */
static void make_table(struct table *t, uint32_t (*value_of)(unsigned symbol))
{
    uint16_t symbol[DEFLATE_LITERALS];
    unsigned n = sort(t, symbol), code = 0, last = 0;

    t->used = 1u << t->bits;
    fill(t->entry, t->used, 0, 1, DEFLATE_BAD << 6);
    /* analyzer: takes symbols for uninitialised; sort() has set n of them */
    for (unsigned i = 0; i < n; i++, code++) {
        unsigned bits = t->length[symbol[i]];
        uint32_t value = value_of(symbol[i]);

        code <<= bits - last;
        if (bits > t->bits)
            add_further(t, code, bits, value);
        else
            fill(t->entry, 1u << t->bits, reversed(code, bits), 1u << bits,
                 value | bits);
        t->count[bits]--;
        last = bits;
    }
}

/* ---- Lengths ---------------------------------------------------------- */

/* Returns the share of all codes of LONGEST bits that begin with one of these:
   1 << LONGEST if the code is complete. */
static unsigned share_of(const uint8_t *length, unsigned n)
{
    unsigned share = 0;

    for (unsigned i = 0; i < n; i++)
        share += length[i] ? 1u << (LONGEST - length[i]) : 0;
    return share;
}

/* A single distance has a code of one bit, half of all codes. */
static bool are_valid(const struct deflate_lengths *lengths)
{
    unsigned share = share_of(lengths->distance, DEFLATE_DISTANCES);
    unsigned used = 0;

    for (unsigned i = 0; i < DEFLATE_DISTANCES; i++)
        used += lengths->distance[i] > 0;
    return lengths->literal[256] &&
           share_of(lengths->literal, DEFLATE_LITERALS) == 1u << LONGEST &&
           (used == 0 || (used == 1 && share == 1u << (LONGEST - 1)) ||
            share == 1u << LONGEST);
}

static uint32_t order_entry(unsigned symbol)
{
    return (uint32_t)symbol << 8;
}

/* Reads the code of the lengths, which has n symbols. */
static bool read_orders(uint32_t *entry, unsigned n, struct deflate_bits *b)
{
    static const uint8_t place[ORDERS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                          11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t length[ORDERS] = {0};
    struct table t = {.entry = entry,
                      .bits = ORDER_BITS,
                      .length = length,
                      .n = ORDERS};

    for (unsigned i = 0; i < n; i++) {
        deflate_bits_fill(b);
        length[place[i]] = (uint8_t)deflate_bits_take(b, 3);
    }
    if (share_of(length, ORDERS) != 1u << LONGEST)
        return false;
    make_table(&t, order_entry);
    return true;
}

/* Reads one length, or a repetition.  Returns how often it comes; 0: that is an
   error. */
static unsigned read_length(const uint32_t *order, struct deflate_bits *b,
                            const uint8_t *before, uint8_t *length)
{
    unsigned symbol;
    uint32_t entry;

    deflate_bits_fill(b);
    entry = order[deflate_bits_next(b, ORDER_BITS)];
    deflate_bits_drop(b, deflate_entry_bits(entry));
    symbol = entry >> 8;
    *length = symbol < 16 ? (uint8_t)symbol : 0;
    if (symbol < 16)
        return 1;
    if (symbol == 17)
        return 3 + deflate_bits_take(b, 3);
    if (symbol == 18)
        return 11 + deflate_bits_take(b, 7);
    if (!before)
        return 0;
    *length = *before;
    return 3 + deflate_bits_take(b, 2);
}

static bool read_all(uint8_t *length, unsigned n, const uint32_t *order,
                     struct deflate_bits *b)
{
    for (unsigned i = 0, times; i < n; i += times) {
        uint8_t value;

        times = read_length(order, b, i ? &length[i - 1] : NULL, &value);
        if (!times || times > n - i || deflate_bits_are_over(b))
            return false;
        memset(length + i, value, times);
    }
    return true;
}

bool deflate_lengths_read(struct deflate_lengths *lengths,
                          struct deflate_bits *bits)
{
    uint8_t all[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    uint32_t order[1 << ORDER_BITS];
    unsigned literals, distances;

    deflate_bits_fill(bits);
    literals = deflate_bits_take(bits, 5) + 257;
    distances = deflate_bits_take(bits, 5) + 1;
    if (literals > 286 || distances > 30 ||
        !read_orders(order, deflate_bits_take(bits, 4) + 4, bits) ||
        !read_all(all, literals + distances, order, bits))
        return false;
    *lengths = (struct deflate_lengths){0};
    memcpy(lengths->literal, all, literals);
    memcpy(lengths->distance, all + literals, distances);
    return are_valid(lengths);
}

void deflate_lengths_fixed(struct deflate_lengths *lengths)
{
    memset(lengths->literal, 8, 144);
    memset(lengths->literal + 144, 9, 112);
    memset(lengths->literal + 256, 7, 24);
    memset(lengths->literal + 280, 8, 8);
    memset(lengths->distance, 5, DEFLATE_DISTANCES);
}

/* ---- Codes ------------------------------------------------------------ */

static uint32_t value_entry(uint32_t least, uint32_t added)
{
    return least << 8 | added << 24 | DEFLATE_VALUE << 6;
}

/* Lengths from 11 and distances from 5 on are in groups of four and of two,
   each of which adds one bit more. */
static uint32_t literal_entry(unsigned symbol)
{
    unsigned code = symbol - 257, added = code / 4 - 1;

    if (symbol < 256)
        return (uint32_t)symbol << 8 | 1 << 4;
    if (symbol == 256)
        return DEFLATE_END << 6;
    if (symbol > 285)
        return DEFLATE_BAD << 6;
    if (symbol == 285)
        return value_entry(258, 0);
    if (code < 8)
        return value_entry(3 + code, 0);
    return value_entry(3 + ((4 + code % 4) << added), added);
}

static uint32_t distance_entry(unsigned symbol)
{
    unsigned added = symbol / 2 - 1;

    if (symbol > 29)
        return DEFLATE_BAD << 6;
    if (symbol < 4)
        return value_entry(1 + symbol, 0);
    return value_entry(1 + ((2 + symbol % 2) << added), added);
}

/* Adds to each literal those that follow within the bits that choose an
   entry. */
static void join_literals(uint32_t *entry)
{
    uint32_t single[1 << DEFLATE_LITERAL_BITS];

    memcpy(single, entry, sizeof single);
    for (unsigned i = 0; i < 1 << DEFLATE_LITERAL_BITS; i++) {
        unsigned bits = deflate_entry_bits(single[i]), n = 1;
        uint32_t literals = single[i] >> 8;

        if (!deflate_entry_literals(single[i]))
            continue;
        for (; n < 3; n++) {
            uint32_t next = single[i >> bits];

            if (!deflate_entry_literals(next) ||
                bits + deflate_entry_bits(next) > DEFLATE_LITERAL_BITS)
                break;
            literals |= next >> 8 << 8 * n;
            bits += deflate_entry_bits(next);
        }
        entry[i] = literals << 8 | n << 4 | bits;
    }
}

void deflate_codes_make(struct deflate_codes *codes,
                        const struct deflate_lengths *lengths)
{
    struct table literal = {.entry = codes->literal,
                            .bits = DEFLATE_LITERAL_BITS,
                            .length = lengths->literal,
                            .n = DEFLATE_LITERALS};
    struct table distance = {.entry = codes->distance,
                             .bits = DEFLATE_DISTANCE_BITS,
                             .length = lengths->distance,
                             .n = DEFLATE_DISTANCES};

    make_table(&literal, literal_entry);
    join_literals(codes->literal);
    make_table(&distance, distance_entry);
}
