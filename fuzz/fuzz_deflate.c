/*
 * fuzz_deflate.c - deflate data decoded from a block in the middle of it, held
 * against zlib
 *
 * Blocks that are decoded are blocks for zlib, too, which knows the window:
 * they end at the same bit, and their symbols are its bytes.  A block that is
 * found has codes that can be read.
 */
#include "deflate_find.h"
#include "deflate_symbols.h"
#include "deflated.h"
#include "fuzz.h"

enum { MOST = 1 << 16, ROOM = 1 << 18 };

static unsigned char window[DEFLATE_WINDOW];
static unsigned char out[ROOM + 1000];

/* Lets zlib begin at a bit of the data. */
static void begin_zlib(z_stream *z, struct bytes data, uint64_t bit)
{
    MUST(inflateInit2(z, -MAX_WBITS) == Z_OK);
    MUST(inflateSetDictionary(z, window, sizeof window) == Z_OK);
    z->next_in = data.at + (bit + 7) / 8;
    z->avail_in = (uInt)(data.len - (bit + 7) / 8);
    if (bit % 8)
        MUST(inflatePrime(z, 8 - (int)(bit % 8), data.at[bit / 8] >> bit % 8) ==
             Z_OK);
    z->next_out = out;
    z->avail_out = sizeof out;
}

/* Lets zlib decode up to the end of a block.  Returns the bit of the data. */
static uint64_t end_of_block(z_stream *z, struct bytes data)
{
    do {
        MUST(inflate(z, Z_BLOCK) == Z_OK);
    } while (!(z->data_type & 128));
    return (uint64_t)(z->next_in - data.at) * 8 - (z->data_type & 63);
}

/* Decodes all blocks from a bit on. */
static void decode(struct deflate_symbols *s, struct bytes data, uint64_t bit)
{
    static struct deflate_bytes bytes;
    unsigned char *own;
    z_stream z = {0};

    begin_zlib(&z, data, bit);
    deflate_symbols_begin(s, bit);
    while (deflate_symbols_decode(s, data.at, data.len)) {
        MUST(end_of_block(&z, data) == s->end);
        MUST(z.total_out == s->n);
    }
    inflateEnd(&z);
    deflate_bytes_init(&bytes);
    deflate_bytes_pass(&bytes, window, sizeof window);
    own = malloc(s->n + 1);
    MUST(own);
    deflate_bytes_resolve(&bytes, s->symbol + DEFLATE_WINDOW, s->n, own);
    MUST(memcmp(own, out, s->n) == 0);
    free(own);
}

static void find(struct bytes data, uint64_t from)
{
    uint64_t bit = deflate_find(data.at, data.len, from, data.len * 8);
    struct deflate_lengths lengths;
    struct deflate_bits bits;

    if (bit == DEFLATE_NOWHERE)
        return;
    MUST(bit >= from && bit < data.len * 8);
    bits = deflate_bits_at(data.at, data.len, bit);
    MUST(deflate_bits_take(&bits, 3) == 4);
    MUST(deflate_lengths_read(&lengths, &bits));
}

/* Returns the data, or what they are compressed to, with spare bytes. */
static struct bytes data_of(struct input *in)
{
    unsigned kind = (unsigned)take(in, 1) % (DEFLATED_KINDS + 1);
    struct bytes given = {(unsigned char *)(uintptr_t)in->at, in->left}, data;
    struct bytes with = bytes_of(2 * in->left + 2000);

    data = kind < DEFLATED_KINDS ? deflated(given, &deflated_kinds[kind], false)
                                 : given;
    memcpy(with.at, data.at, data.len);
    memset(with.at + data.len, 0, DEFLATE_SPARE);
    with.len = data.len;
    if (kind < DEFLATED_KINDS)
        free(data.at);
    return with;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    size_t hit = take(&in, 2);
    uint8_t bits = (uint8_t)take(&in, 1);
    uint64_t from = take(&in, 2);
    struct deflate_symbols s;
    struct bytes bytes;

    if (in.left > MOST || in.left < 2)
        return 0;
    for (unsigned i = 0; i < sizeof window; i++)
        window[i] = (unsigned char)(i * 7 + i / 256);
    bytes = data_of(&in);
    bytes.at[hit % bytes.len] ^= bits;
    MUST(deflate_symbols_init(&s, ROOM));
    decode(&s, bytes, 0);
    if (from < bytes.len * 8)
        decode(&s, bytes, from);
    find(bytes, from);
    deflate_symbols_free(&s);
    free(bytes.at);
    return 0;
}
