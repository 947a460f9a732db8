/*
 * unpacker.h - decompresses a file in a thread of its own
 *
 * The thread works ahead of the reader, up to a limit, and keeps decompressed
 * bytes in blocks of memory.  It is for files that can be read without waiting
 * for a writer.
 */
#ifndef UNPACKER_H
#define UNPACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "blocks.h"
#include "fault.h"

struct unpacker;

/*
 * How far to decompress ahead of the reader of the same file: as much as can be
 * decompressed while the pages of a filter of 256 MiB become huge, when nothing
 * is read.
 */
enum { UNPACKER_AHEAD = 32 << 20 };

/* Returns whether fd is at the beginning of a regular file that is compressed,
   and large enough for a thread. */
bool unpacker_is_worth(int fd);

/*
 * Starts at the position of fd, which the caller closes, and decompresses up to
 * `ahead` bytes before they are read.  Returns NULL if there is no memory or no
 * thread; nothing has been read then.
 */
struct unpacker *unpacker_create(int fd, size_t ahead, struct blocks *blocks);

/* Ends the thread.  Accepts NULL. */
void unpacker_free(struct unpacker *u);

/* Sets how many bytes are decompressed ahead. */
void unpacker_set_ahead(struct unpacker *u, size_t ahead);

/* Sets how many other threads may help to decompress the file, if its format
   allows it.  Accepts NULL. */
void unpacker_set_helpers(struct unpacker *u, unsigned n);

/*
 * Waits until there are n bytes, as many as are decompressed ahead, or the file
 * ends; n > 0.  Returns the number of bytes, 0 at the end, or -1, *why and
 * errno, as decompress_read() does.  Bytes before an error are returned first.
 */
ssize_t unpacker_read(struct unpacker *u, void *out, size_t n,
                      struct fault *why);

/* Returns whether much is decompressed already: half of what may be, or all
   that is left. */
bool unpacker_has_plenty(struct unpacker *u);

/* Returns how many bytes of the file were decompressed to get those that were
   read. */
uint64_t unpacker_taken(const struct unpacker *u);

/* Returns when the thread is idle and holds no lock, which lasts until
   unpacker_resume(): the process may fork meanwhile.  Both accept NULL. */
void unpacker_pause(struct unpacker *u);
void unpacker_resume(struct unpacker *u);

#endif
