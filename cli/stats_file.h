/*
 * stats_file.h - figures of a run in a file: --stats-output and --metrics
 */
#ifndef STATS_FILE_H
#define STATS_FILE_H

#include <sys/types.h>

#include "stats.h"

struct stats_file {
    const char *path; /* NULL: there is none */
    mode_t mode;      /* of a file that is not there yet */
};

/*
 * Remember where to write, with the mode that any new file gets, and look
 * whether that is possible.  Returns CLI_GO, or CLI_TROUBLE after a message:
 * better now than when everything was read.
 */
int stats_file_open(struct stats_file *f, const char *path);

/* Replace a file by one that holds the figures in one of the forms STATS_.  The
   mode is for a file that is not there yet.  Returns -1 and errno if that
   fails. */
int stats_file_replace(const char *path, mode_t mode, const struct stats *s,
                       int form);

/*
 * Write the figures in one of the forms STATS_.  A regular file is the old one
 * or the new one, never half of either; what is no regular file, such as
 * /dev/fd/3, is written to.  Returns -1 and errno if that fails.
 */
int stats_file_write(const struct stats_file *f, const struct stats *s,
                     int form);

#endif
