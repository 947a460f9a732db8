/*
 * reader.h - bytes from a file descriptor, in a window that slides
 *
 * Views into the window die at the next reader_fill(): whoever reads drains
 * all whole records first.  What is left, the beginning of a record, moves to
 * the front; nothing else is ever copied.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decompress.h"

struct reader {
    const char *name; /* for messages */
    int fd;
    bool eof;
    bool waits; /* a pipe, socket or terminal: reading may block */
    bool as_is; /* compressed files are not looked for */
    bool over;  /* met a record longer than most; it stands at the start */

    struct decompress *packed; /* NULL once it is known to be plain */
    struct fault fault;        /* why it failed, if errno is 0 */

    char *buffer;
    size_t window;     /* its usual size */
    size_t size;       /* of buffer, one spare byte aside */
    size_t start, end; /* what is unread */
    size_t scanned;    /* of it, bytes known to hold no delimiter */
    size_t most;       /* bytes of a record, without its delimiter */
    uint64_t offset;   /* of buffer[0] in the file */
    off_t began;       /* where in fd; -1 if it has no places */
};

/*
 * A quarter of a megabyte: system calls are rare, and the window stays in
 * the second cache between being read, hashed and copied out.
 */
enum { READER_WINDOW = 1 << 18 };

/* A reader of nothing, for records of so many bytes, that reads so many at
   once.  -1 and errno. */
int reader_init(struct reader *r, size_t window, size_t most);
void reader_free(struct reader *r);

/* Begin with a file; "-" is standard input.  -1 and errno. */
int reader_open(struct reader *r, const char *name);
void reader_close(struct reader *r);

/*
 * 1: come again, also after a signal that left the window as it was; 0: the
 * end, and the last record may still be in the window; -1: errno, or over, or
 * with errno 0 the fault of a compressed file.
 */
int reader_fill(struct reader *r);

/* Can it be filled without waiting for somebody to write? */
bool reader_is_ready(const struct reader *r);

/*
 * Cut the window: what stands before end goes to another reader, which is no
 * good but for looking at it, and whose buffer of the usual size is taken in
 * exchange.
 */
void reader_cut(struct reader *r, struct reader *part, size_t end);

/* Where in the file the first unread byte is. */
uint64_t reader_offset(const struct reader *r);

/* Bytes taken of the file itself, packed or not, since it was opened. */
uint64_t reader_taken(const struct reader *r);

#endif
