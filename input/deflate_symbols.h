/*
 * deflate_symbols.h - decodes deflate data from its middle
 *
 * A copy may refer to the 32 KiB before the place where decoding begins, which
 * are not known.  So the result is not bytes but symbols of 16 bits: a byte, or
 * DEFLATE_UNKNOWN and the place in those 32 KiB where the byte is.  When they
 * are known, symbols become bytes.
 */
#ifndef DEFLATE_SYMBOLS_H
#define DEFLATE_SYMBOLS_H

#include "deflate_codes.h"

enum { DEFLATE_WINDOW = 1 << 15, DEFLATE_UNKNOWN = 1 << 15 };

/* The symbols of whole blocks. */
struct deflate_symbols {
    uint16_t *symbol; /* the first DEFLATE_WINDOW ones are unknown */
    size_t n, room;   /* without those of the window */
    uint64_t end;     /* the bit of the data after them */
};

/* Allocates room for this many symbols.  Returns false if there is no
   memory. */
bool deflate_symbols_init(struct deflate_symbols *s, size_t room);
void deflate_symbols_free(struct deflate_symbols *s);

/* Begins anew at a bit of the data. */
void deflate_symbols_begin(struct deflate_symbols *s, uint64_t bit);

/*
 * Decodes the block at s->end.  Returns false, and changes nothing, if it is
 * the last block of the data, not complete, not valid, or if there is no room.
 * The data have DEFLATE_SPARE bytes more than len.
 */
bool deflate_symbols_decode(struct deflate_symbols *s,
                            const unsigned char *data, size_t len);

/* The byte that each symbol stands for: itself, or from DEFLATE_UNKNOWN on the
   window before the first one. */
struct deflate_bytes {
    unsigned char of[DEFLATE_UNKNOWN + DEFLATE_WINDOW];
};

/* Sets the bytes that do not depend on the window. */
void deflate_bytes_init(struct deflate_bytes *bytes);

/* Moves the window forward over n bytes. */
void deflate_bytes_pass(struct deflate_bytes *bytes,
                        const unsigned char *passed, size_t n);

/* Writes n symbols as bytes. */
void deflate_bytes_resolve(const struct deflate_bytes *bytes,
                           const uint16_t *symbol, size_t n,
                           unsigned char *out);

#endif
