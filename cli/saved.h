/*
 * saved.h - the bytes of a saved filter: the block, then a trailer
 *
 * The same in a file and in what the module dumps and loads; doc/format.md.
 */
#ifndef SAVED_H
#define SAVED_H

#include "freshet.h"

enum { SAVED_TRAILER = sizeof(freshet_hash) };

/* What stands behind the block of a filter. */
freshet_hash saved_trailer(const freshet *f);

/*
 * The filter in so many saved bytes, attached where they lie, or a status
 * explained in err.
 */
int saved_adopt(freshet **out, void *saved, size_t len, freshet_error *err);

#endif
