/*
 * decompress.h - read a file whether it is compressed or not
 *
 * gzip, Zstandard, LZ4, xz and bzip2 are recognised by their first bytes, and
 * may consist of several members, frames or streams; all other files are read
 * as they are.
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

/* Returns a reader of fd, which stays the caller's, or NULL if there is no
   memory.  Without detect all files are read as they are. */
struct decompress *decompress_create(int fd, bool detect);

/* Accepts NULL. */
void decompress_free(struct decompress *d);

/*
 * Read up to n bytes, n > 0.  Returns their number, 0 at the end, or -1 and a
 * reason.  It waits only if there are no bytes to return.  Damaged data and
 * data that is cut off fail, now and in later calls, with errno 0.  Otherwise
 * errno is that of read(), no bytes are lost, and after EINTR or EAGAIN the
 * caller may try again.
 */
ssize_t decompress_read(struct decompress *d, void *out, size_t n,
                        struct fault *why);

/* Returns whether there probably are bytes to return without reading fd. */
bool decompress_is_ready(const struct decompress *d);

/* Returns "gzip", "zstd", "lz4", "xz", "bzip2", "plain", or NULL while too
   little was read to say.  Once it is plain and not ready, the caller may read
   fd itself. */
const char *decompress_format(const struct decompress *d);

#endif
