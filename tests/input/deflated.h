/*
 * deflated.h - deflate data of many kinds for tests and fuzzers
 */
#ifndef DEFLATED_H
#define DEFLATED_H

#include "pack.h"

/* How zlib is to compress. */
struct deflated {
    const char *name;
    int level, strategy;
    int memory;   /* 1 to 9: blocks of 128 to 32,768 symbols */
    size_t flush; /* bytes after which a block is ended; 0: never */
};

static const struct deflated deflated_kinds[] = {
    {"fast", 1, Z_DEFAULT_STRATEGY, 4, 0},
    {"usual", 6, Z_DEFAULT_STRATEGY, 5, 0},
    {"small blocks", 9, Z_DEFAULT_STRATEGY, 1, 0},
    {"stored", 0, Z_DEFAULT_STRATEGY, 8, 0},
    {"fixed codes", 6, Z_FIXED, 8, 0},
    {"literals", 6, Z_HUFFMAN_ONLY, 4, 0},
    {"runs", 6, Z_RLE, 4, 0},
    {"flushed", 6, Z_DEFAULT_STRATEGY, 5, 30000},
};
enum { DEFLATED_KINDS = sizeof deflated_kinds / sizeof *deflated_kinds };

/* Compresses, as a gzip member or as deflate data alone. */
static inline struct bytes deflated(struct bytes plain,
                                    const struct deflated *k, bool is_gzip)
{
    struct bytes out = bytes_of(2 * plain.len + 1000);
    z_stream z = {0};
    int status = Z_OK;

    pack_must(deflateInit2(&z, k->level, Z_DEFLATED,
                           is_gzip ? 16 + MAX_WBITS : -MAX_WBITS, k->memory,
                           k->strategy) == Z_OK);
    z.next_in = plain.at;
    z.next_out = out.at;
    z.avail_out = (uInt)out.len;
    for (size_t left = plain.len; status == Z_OK;) {
        size_t part = k->flush && k->flush < left ? k->flush : left;

        left -= part;
        z.avail_in = (uInt)part;
        status = deflate(&z, left ? Z_SYNC_FLUSH : Z_FINISH);
    }
    pack_must(status == Z_STREAM_END);
    out.len -= z.avail_out;
    deflateEnd(&z);
    return out;
}

#endif
