/*
 * slots.h - which of a cluster's slots a key is in
 */
#ifndef SLOTS_H
#define SLOTS_H

#include <stddef.h>

enum { SLOTS = 16384 };

/* CRC-16/XMODEM of the key, or of what stands in its first braces if that is
   not empty. */
unsigned slots_of(const char *key, size_t len);

#endif
