/*
 * reader.h - reads a file descriptor into a buffer that can grow
 *
 * The buffer is filled until it holds whole records, which reader_hand_over()
 * gives to a chunk together with the buffer.  The rest, the beginning of a
 * record, is copied to the chunk's old buffer; nothing else is copied.
 */
#ifndef READER_H
#define READER_H

#include "decompress.h"
#include "source.h"
#include "unpacker.h"

struct reader {
    const char *name; /* name for messages */
    int fd;
    bool eof;
    bool waits;            /* a pipe, socket or terminal: reading may block */
    bool as_is;            /* do not decompress */
    bool is_plain;         /* a regular file that is not compressed */
    struct blocks *blocks; /* for threads that decompress; NULL: files are
                              decompressed when read */

    struct decompress *packed; /* NULL once it is known to be plain, and where
                                  there is an unpacker */
    struct unpacker *unpacker; /* NULL: there is no thread */
    struct fault fault;        /* why it failed, if errno is 0 */

    char *buffer;
    size_t window;     /* usual size of the buffer */
    size_t size;       /* size of buffer, without one spare byte */
    size_t start, end; /* the unread bytes */
    size_t scanned;    /* unread bytes known to contain no record end */
    size_t most;       /* longest record, without its delimiter */
    uint64_t offset;   /* offset of buffer[0] in the file */
    off_t began;       /* offset of fd at the start; -1 if it cannot seek */
};

/*
 * 256 KiB: system calls are rare, and the buffer stays in the second-level
 * cache while it is read, hashed and copied out.
 */
enum { READER_WINDOW = 1 << 18 };

/* Prepares a reader for records of up to `most` bytes, which reads `window`
   bytes at once.  Returns -1 and sets errno if there is no memory. */
int reader_init(struct reader *r, size_t window, size_t most);
void reader_free(struct reader *r);

/* Opens a file; "-" is standard input.  Returns -1 and sets errno on error. */
int reader_open(struct reader *r, const char *name);

/* The same with a file that is open already, and its unpacker.  Both are the
   reader's from now on. */
void reader_adopt(struct reader *r, const char *name, int fd,
                  struct unpacker *unpacker);
void reader_close(struct reader *r);

/*
 * Reads once.  Returns 1 if there may be more, also after a signal that left
 * the buffer as it was; 0 at the end, when the last record may still be in the
 * buffer; -1 and sets errno, which is 0 for the fault of a compressed file.
 */
int reader_fill(struct reader *r);

/* Returns whether it can be filled without waiting for a writer. */
bool reader_is_ready(const struct reader *r);

/* Gives the unread bytes before end, a place in the buffer, to a chunk, and
   takes its buffer in exchange.  Returns false if there is no memory. */
bool reader_hand_over(struct reader *r, struct chunk *c, size_t end);

/* Returns the bytes read from the file itself, compressed or not, since it was
   opened. */
uint64_t reader_taken(const struct reader *r);

#endif
