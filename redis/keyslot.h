/*
 * keyslot.h - which of a cluster's slots a key is in
 */
#ifndef KEYSLOT_H
#define KEYSLOT_H

#include <stddef.h>

enum { KEYSLOTS = 16384 };

/* CRC-16/XMODEM of the key, or of what stands in its first braces if that is
   not empty. */
unsigned keyslot_of(const char *key, size_t len);

#endif
