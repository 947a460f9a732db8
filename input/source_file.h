/*
 * source_file.h - records of files, one after the other
 */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include "source.h"

struct source_file_config {
    struct framing framing;
    size_t window; /* bytes read at once; 0: the usual number */
    bool as_is;    /* compressed files are not looked for */
};

/* A source of nothing, or NULL if there is no memory. */
struct source *source_file_create(const struct source_file_config *config);

/* Begin with a file; "-" is standard input.  Returns false and errno. */
bool source_file_open(struct source *s, const char *name);
void source_file_close(struct source *s);

/* Returns the line of a CSV quote that is open at the end of the file, when
   that was reached; or 0. */
uint64_t source_file_open_quote(const struct source *s);

/* Returns the bytes taken of the file itself, packed or not, since it was
   opened. */
uint64_t source_file_taken(const struct source *s);

#endif
