/*
 * stats_file.h - writes the figures of a run to a file: --stats-output and
 * --metrics
 */
#ifndef STATS_FILE_H
#define STATS_FILE_H

#include <sys/types.h>

#include "stats.h"

struct stats_file {
    const char *path; /* NULL: there is none */
    mode_t mode;      /* mode of a file that does not exist yet */
};

/*
 * Stores where to write, with the mode that any new file gets, and checks that
 * writing is possible.  Returns CLI_GO, or CLI_TROUBLE after a message: a
 * failure is reported before the input is read.
 */
int stats_file_open(struct stats_file *f, const char *path);

/*
 * Replaces a file by one with the figures in one of the forms STATS_. The mode
 * is for a file that does not exist yet.  Returns -1 and sets errno on failure.
 */
int stats_file_replace(const char *path, mode_t mode, const struct stats *s,
                       int form);

/*
 * Writes the figures in one of the forms STATS_. A regular file is replaced
 * atomically; anything else, such as /dev/fd/3, is written to.  Returns -1 and
 * sets errno on failure.
 */
int stats_file_write(const struct stats_file *f, const struct stats *s,
                     int form);

#endif
