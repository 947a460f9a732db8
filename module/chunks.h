/*
 * chunks.h - the bytes of a block in an RDB file
 *
 * Strings of 64 KiB, the last one shorter; an empty string stands for a chunk
 * of zeroes.
 */
#ifndef CHUNKS_H
#define CHUNKS_H

#include "api.h"

void chunks_save(rm_io *rdb, const char *block, size_t bytes);

/* Loads chunks into a block of zeroes.  Returns NULL, or what is wrong with
   them. */
const char *chunks_load(rm_io *rdb, char *block, size_t bytes);

#endif
