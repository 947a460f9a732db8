/*
 * saved_block.h - the bytes of a saved filter: the block, then a trailer
 *
 * The same in a file and in what the module dumps and loads; doc/format.md.
 */
#ifndef SAVED_BLOCK_BLOCK_H
#define SAVED_BLOCK_BLOCK_H

#include "freshet.h"

enum { SAVED_BLOCK_TRAILER = sizeof(freshet_hash) };

/* What stands behind the block of a filter. */
freshet_hash saved_block_trailer(const freshet *f);

/*
 * The filter at the start of so many saved bytes, attached where it lies, or a
 * status explained in err.  *used receives how many of the bytes were its.
 */
int saved_block_adopt(freshet **out, void *saved, size_t len, size_t *used,
                      freshet_error *err);

#endif
