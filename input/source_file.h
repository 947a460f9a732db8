/*
 * source_file.h - records of files, one after the other
 */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include "source.h"

struct source_file_config {
    struct framing framing;
    size_t window; /* bytes read at once; 0: the default */
    bool as_is;    /* do not decompress */
    /* Compressed files that are decompressed at once, each by a thread of its
       own; 0: files are decompressed by the caller's thread. */
    unsigned unpackers;
};

/* Returns a source without a file, or NULL if there is no memory. */
struct source *source_file_create(const struct source_file_config *config);

/* Opens a file; "-" is standard input.  Returns false and sets errno on
   error. */
bool source_file_open(struct source *s, const char *name);

/* After a file was opened: the names of those that will be opened next, in
   order.  They stay the caller's until then. */
void source_file_expect(struct source *s, char *const *names, size_t n);

/* Returns when no thread of the source does anything, and until
   source_file_resume() it stays so: a process may fork meanwhile. */
void source_file_pause(struct source *s);
void source_file_resume(struct source *s);
void source_file_close(struct source *s);

/* Returns whether the file is a compressed pipe that ended too early: its
   writer may have been killed. */
bool source_file_is_cut(const struct source *s);

/* Returns the line of a CSV quote that is open at the end of the file, once the
   end was reached; or 0. */
uint64_t source_file_open_quote(const struct source *s);

/* Returns the bytes read from the file itself, compressed or not, since it was
   opened. */
uint64_t source_file_taken(const struct source *s);

#endif
