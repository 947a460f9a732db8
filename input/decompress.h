/*
 * decompress.h - read a file whether it is compressed or not
 *
 * gzip, Zstandard, LZ4, xz and bzip2 are told by their first bytes, however
 * many members, frames or streams follow each other; everything else passes
 * untouched.
 */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "fault.h"

struct decompress;

/* May a file with these first bytes be compressed?  DECOMPRESS_MAGIC of them
   are enough to tell, if it has that many. */
enum { DECOMPRESS_MAGIC = 16 };
bool decompress_begins(const unsigned char *first, size_t len);

/* Read from fd, which stays the caller's.  Without detect all is plain.  NULL
   if there is no memory. */
struct decompress *decompress_create(int fd, bool detect);

/* Accepts NULL. */
void decompress_free(struct decompress *d);

/*
 * Up to n bytes, n > 0: how many, 0 at the end, or -1 and a reason.  It waits
 * only while there is nothing to give.  Damaged or cut off data fails, also
 * at the very end, and goes on failing; errno is then 0.  Otherwise errno is
 * from read(), nothing is lost, and after EINTR or EAGAIN one may go on.
 */
ssize_t decompress_read(struct decompress *d, void *out, size_t n,
                        struct fault *why);

/* Is there, most likely, something to give without reading from fd? */
bool decompress_is_ready(const struct decompress *d);

/* Returns "gzip", "zstd", "lz4", "xz", "bzip2", "plain", or NULL while too
   little was read to say.  Once plain and not ready, the caller may as well
   read fd itself. */
const char *decompress_format(const struct decompress *d);

#endif
