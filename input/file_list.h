/*
 * file_list.h - reads names of files from a file: --files0-from
 */
#ifndef FILE_LIST_H
#define FILE_LIST_H

#include "fault.h"

/* All zero if there are no names. */
struct file_list {
    char **name;
    int n;
};

/*
 * Reads names that end with NUL, as "find -print0" writes them; "-" is standard
 * input.  Returns false and sets *why on error; to be freed in any case.
 */
bool file_list_read(struct file_list *files, const char *from,
                    struct fault *why);
void file_list_free(struct file_list *files);

#endif
