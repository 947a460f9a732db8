/*
 * file_list.c - reads names of files from a file: --files0-from
 */
#include "file_list.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* Takes ownership of name.  Returns false if there is no memory. */
static bool add(struct file_list *files, char *name)
{
    char **more = NULL;

    if (files->n < INT_MAX)
        more = array_add(files->name, (size_t)files->n, sizeof *more);
    if (!more) {
        free(name);
        return false;
    }
    files->name = more;
    files->name[files->n++] = name;
    return true;
}

static bool check_name(const struct file_list *files, const char *from,
                       const char *name, struct fault *why)
{
    if (*name == '\0')
        return fault_set(why,
                         "%s: name %d is empty; separate names by NUL, as find "
                         "-print0 does",
                         from, files->n + 1);
    if (strcmp(name, "-") == 0 && strcmp(from, "-") == 0)
        return fault_set(why, "the list of files comes from standard input, so "
                              "it cannot contain '-'");
    return true;
}

/* Takes ownership of name. */
static bool add_name(struct file_list *files, const char *from, char *name,
                     struct fault *why)
{
    if (!check_name(files, from, name, why)) {
        free(name);
        return false;
    }
    return add(files, name) || fault_set(why, "%s: out of memory", from);
}

static bool read_names(struct file_list *files, const char *from, FILE *in,
                       struct fault *why)
{
    char *name = NULL;
    size_t size = 0;

    errno = 0;
    while (getdelim(&name, &size, '\0', in) >= 0) {
        if (!add_name(files, from, name, why))
            return false;
        name = NULL;
        size = 0;
        errno = 0;
    }
    free(name);
    return feof(in) || fault_set(why, "%s: %s", from, strerror(errno));
}

bool file_list_read(struct file_list *files, const char *from,
                    struct fault *why)
{
    bool standard = strcmp(from, "-") == 0, done;
    FILE *in = standard ? stdin : fopen(from, "re");

    if (!in)
        return fault_set(why, "%s: %s", from, strerror(errno));
    done = read_names(files, from, in, why);
    if (!standard)
        fclose(in);
    if (done && files->n == 0)
        return fault_set(why, "%s: lists no files", from);
    return done;
}

void file_list_free(struct file_list *files)
{
    for (int i = 0; i < files->n; i++)
        free(files->name[i]);
    free(files->name);
}
