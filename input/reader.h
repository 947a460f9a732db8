/*
 * reader.h - bytes from a file descriptor, in a buffer of growing size
 *
 * The buffer is filled until it holds whole records, which reader_hand_over()
 * gives to a chunk together with the buffer.  What is left, the beginning of a
 * record, is copied to the chunk's old buffer; nothing else is copied.
 */
#ifndef READER_H
#define READER_H

#include "decompress.h"
#include "source.h"

struct reader {
    const char *name; /* for messages */
    int fd;
    bool eof;
    bool waits;    /* a pipe, socket or terminal: reading may block */
    bool as_is;    /* compressed files are not looked for */
    bool is_plain; /* a regular file that is not compressed */

    struct decompress *packed; /* NULL once it is known to be plain */
    struct fault fault;        /* why it failed, if errno is 0 */

    char *buffer;
    size_t window;     /* its usual size */
    size_t size;       /* of buffer, one spare byte aside */
    size_t start, end; /* what is unread */
    size_t scanned;    /* of it, bytes known to hold no end of a record */
    size_t most;       /* bytes of a record, without its delimiter */
    uint64_t offset;   /* of buffer[0] in the file */
    off_t began;       /* where in fd; -1 if it has no places */
};

/*
 * A quarter of a megabyte: system calls are rare, and the buffer stays in the
 * second cache between being read, hashed and copied out.
 */
enum { READER_WINDOW = 1 << 18 };

/* A reader of nothing, for records of up to `most` bytes, that reads `window`
   bytes at once.  Returns -1 and errno if there is no memory. */
int reader_init(struct reader *r, size_t window, size_t most);
void reader_free(struct reader *r);

/* Begin with a file; "-" is standard input.  Returns -1 and errno. */
int reader_open(struct reader *r, const char *name);
void reader_close(struct reader *r);

/*
 * Read once.  Returns 1 if there may be more, also after a signal that left
 * the buffer as it was; 0 at the end, and the last record may still be in the
 * buffer; -1 and errno, or with errno 0 the fault of a compressed file.
 */
int reader_fill(struct reader *r);

/* Returns whether it can be filled without waiting for somebody to write. */
bool reader_is_ready(const struct reader *r);

/* Give the unread bytes before end, a place in the buffer, to a chunk, and
   take its buffer in exchange.  Returns false if there is no memory. */
bool reader_hand_over(struct reader *r, struct chunk *c, size_t end);

/* Returns the bytes taken of the file itself, packed or not, since it was
   opened. */
uint64_t reader_taken(const struct reader *r);

#endif
