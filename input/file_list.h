/*
 * file_list.h - names of files out of a file: --files0-from
 */
#ifndef FILE_LIST_H
#define FILE_LIST_H

/* All zero: none. */
struct files0 {
    char **name;
    int n;
};

/*
 * Read names that end with NUL, as "find -print0" writes them; "-" is
 * standard input.  CLI_GO, or the status to exit with; to be freed in any
 * case.
 */
int files0_read(struct files0 *files, const char *from);
void files0_free(struct files0 *files);

#endif
