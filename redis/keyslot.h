/*
 * keyslot.h - which of a cluster's slots a key is in
 */
#ifndef KEYSLOT_H
#define KEYSLOT_H

#include <stddef.h>

enum { KEYSLOTS = 16384 };

/* Returns the slot of a key: CRC-16/XMODEM of the key, or of the text in its
   first braces if that is not empty. */
unsigned keyslot_of(const char *key, size_t len);

#endif
