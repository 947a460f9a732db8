/*
 * saved_block.h - the bytes of a saved filter: the block, then a trailer
 *
 * Files and the dumps of the module have the same format: doc/format.md.
 */
#ifndef SAVED_BLOCK_BLOCK_H
#define SAVED_BLOCK_BLOCK_H

#include <stdbool.h>

#include "fault.h"
#include "freshet.h"

enum { SAVED_BLOCK_TRAILER = sizeof(freshet_hash) };

/* Returns the checksum that follows the block of a filter. */
freshet_hash saved_block_trailer(const freshet *f);

/*
 * Attaches the filter at the start of len saved bytes, without copying it;
 * *used becomes the number of bytes that belong to it.  Returns false and sets
 * *why, with *out NULL, if there is no filter or it is damaged.
 */
bool saved_block_adopt(freshet **out, void *saved, size_t len, size_t *used,
                       struct fault *why);

#endif
