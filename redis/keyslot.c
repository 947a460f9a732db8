/*
 * keyslot.c - which of a cluster's slots a key is in
 */
#include "keyslot.h"

#include <string.h>

static unsigned crc16(const char *at, size_t len)
{
    unsigned crc = 0;

    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned)(unsigned char)at[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
        crc &= 0xffff;
    }
    return crc;
}

unsigned keyslot_of(const char *key, size_t len)
{
    const char *open = len ? memchr(key, '{', len) : NULL;
    const char *close =
        open ? memchr(open, '}', len - (size_t)(open - key)) : NULL;

    if (close && close > open + 1)
        return crc16(open + 1, (size_t)(close - open) - 1) % KEYSLOTS;
    return crc16(key, len) % KEYSLOTS;
}
