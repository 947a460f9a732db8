/*
 * result_file.c - a file of results, to which rows are appended
 */
#include "result_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"

/* ---- Reading ---------------------------------------------------------- */

static struct row *next_row(struct results *r)
{
    struct row *row = array_add(r->row, r->rows, sizeof *row);

    if (!row)
        return NULL;
    r->row = row;
    return &r->row[r->rows];
}

/* The head comes first; comments may be anywhere. */
static bool read_line(struct results *r, struct view line, struct fault *why)
{
    struct row *row;

    if (line.len && line.at[0] == '#')
        return true;
    if (!r->width) {
        r->width = row_head_width(line);
        if (!r->width)
            fault_set(why, "is not the header of a file of results");
        return r->width;
    }
    row = next_row(r);
    if (!row) {
        fault_set(why, "out of memory");
        return false;
    }
    if (!row_read(row, line, r->width, why))
        return false;
    r->rows++;
    return true;
}

static bool read_lines(struct results *r, struct fault *why)
{
    char *line = NULL;
    struct fault inner = {""};
    size_t size = 0, number = 0;
    ssize_t len;
    bool good = true;

    while (good && (len = getline(&line, &size, r->file)) > 0) {
        number++;
        if (line[len - 1] == '\n')
            good = read_line(r, (struct view){line, (size_t)len - 1}, &inner);
        else
            fault_set(&inner, "is cut off");
        good = good && !inner.text[0];
    }
    free(line);
    if (!good)
        fault_set(why,
                  "line %zu %s; the file was not changed: repair it, or name "
                  "another one",
                  number, inner.text);
    else if (ferror(r->file))
        fault_set(why, "%s", strerror(errno));
    return good && !ferror(r->file);
}

/* ---- Writing ---------------------------------------------------------- */

static bool flush(struct results *r, struct fault *why)
{
    if (fflush(r->file) == 0)
        return true;
    fault_set(why, "%s", strerror(errno));
    return false;
}

bool results_open(struct results *r, const char *path, const char *comments,
                  struct fault *why)
{
    struct stat st;

    *r = (struct results){.path = path, .file = fopen(path, "a+")};
    if (!r->file) {
        fault_set(why, "%s", strerror(errno));
        return false;
    }
    if (fstat(fileno(r->file), &st) < 0 || !S_ISREG(st.st_mode)) {
        fault_set(why, "is not a regular file");
        return false;
    }
    if (flock(fileno(r->file), LOCK_EX | LOCK_NB) < 0) {
        fault_set(why, errno == EWOULDBLOCK ? "another run is writing to it"
                                            : "cannot be locked");
        return false;
    }
    rewind(r->file);
    if (!read_lines(r, why))
        return false;
    if (!r->width) {
        fputs(comments, r->file);
        row_write_head(r->file);
        r->width = ROW_WIDTH;
    }
    return flush(r, why);
}

bool results_read(struct results *r, const char *path, struct fault *why)
{
    *r = (struct results){.path = path, .file = fopen(path, "r")};
    if (!r->file) {
        fault_set(why, "%s", strerror(errno));
        return false;
    }
    if (!read_lines(r, why))
        return false;
    if (!r->width)
        fault_set(why, "holds no results");
    return r->width;
}

const struct row *results_find(const struct results *r, const struct row *input)
{
    for (size_t i = 0; i < r->rows; i++)
        if (row_is_whole(&r->row[i]) && row_same_input(&r->row[i], input))
            return &r->row[i];
    return NULL;
}

/* Writes all at once, so that no reader finds a part of it. */
static bool write_all(int fd, const char *text, size_t size)
{
    while (size) {
        ssize_t wrote = write(fd, text, size);

        if (wrote < 0 && errno != EINTR)
            return false;
        if (wrote > 0) {
            text += wrote;
            size -= (size_t)wrote;
        }
    }
    return true;
}

bool results_add(struct results *r, const struct row *row, size_t n,
                 struct fault *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    bool good = memory != NULL;

    for (size_t i = 0; good && i < n; i++)
        row_write_csv(&row[i], r->width, memory);
    good =
        memory && fclose(memory) == 0 && write_all(fileno(r->file), text, size);
    if (!good)
        fault_set(why, "%s", strerror(errno));
    free(text);
    return good;
}

void results_close(struct results *r)
{
    if (r->file)
        fclose(r->file);
    free(r->row);
}
