/*
 * decompress.h - reads files that may be compressed
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
struct inflate_team;

/* Returns whether a file with these first bytes may be compressed.
   DECOMPRESS_MAGIC bytes are enough, if the file has that many. */
enum { DECOMPRESS_MAGIC = 16 };
bool decompress_begins(const unsigned char *first, size_t len);

/* Returns a reader of fd, which the caller closes, or NULL if there is no
   memory.  Without detect all files are read as they are. */
struct decompress *decompress_create(int fd, bool detect);

/* Lets a team decode the file, too, from the position of fd on.  To be called
   before the first read; the team must outlive the reader. */
void decompress_use_team(struct decompress *d, struct inflate_team *team);

/* Accepts NULL. */
void decompress_free(struct decompress *d);

/*
 * Reads up to n bytes, n > 0.  Returns their number, 0 at the end, or -1 and
 * sets *why.  It waits only if there are no bytes to return.  Damaged and
 * truncated data fail, in this and all later calls, with errno 0.  Otherwise
 * errno is that of read(), no bytes are lost, and after EINTR or EAGAIN the
 * caller may try again.
 */
ssize_t decompress_read(struct decompress *d, void *out, size_t n,
                        struct fault *why);

/* Returns whether there probably are bytes to return without reading fd. */
bool decompress_is_ready(const struct decompress *d);

/* Returns whether it failed because compressed data ended too early. */
bool decompress_is_cut(const struct decompress *d);

/* Returns "gzip", "zstd", "lz4", "xz", "bzip2", "plain", or NULL before enough
   was read.  Once it is plain and not ready, the caller may read fd itself. */
const char *decompress_format(const struct decompress *d);

#endif
