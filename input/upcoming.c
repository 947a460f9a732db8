/*
 * upcoming.c - decompresses the next files before their turn
 */
#include "upcoming.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits of decompressed bytes that wait: for each file, and for all.  Together
   with those of the file that is read they are 256 MiB. */
static const size_t ahead_each = 128 << 20, ahead_all = 224 << 20;

void upcoming_init(struct upcoming *u, size_t most, struct blocks *blocks)
{
    *u = (struct upcoming){.most = most < UPCOMING_MOST ? most : UPCOMING_MOST,
                           .blocks = blocks};
}

static size_t ahead(const struct upcoming *u)
{
    return ahead_all / u->most < ahead_each ? ahead_all / u->most : ahead_each;
}

/* Opens regular files only: the writer of a pipe would notice. */
static int open_regular(const char *name)
{
    struct stat st;

    if (strcmp(name, "-") == 0 || stat(name, &st) < 0 || !S_ISREG(st.st_mode))
        return -1;
    return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static void begin(struct upcoming *u, const char *name)
{
    struct upcoming_file *file = &u->file[u->n];

    *file = (struct upcoming_file){.name = name, .fd = open_regular(name)};
    if (file->fd < 0)
        return;
    if (unpacker_is_worth(file->fd))
        file->unpacker = unpacker_create(file->fd, ahead(u), u->blocks);
    if (file->unpacker)
        u->n++;
    else
        close(file->fd);
}

void upcoming_expect(struct upcoming *u, char *const *names, size_t n)
{
    char *const *end = names + (n < u->most ? n : u->most);

    if (!u->next || u->next < names)
        u->next = names;
    for (; u->next < end && u->n < u->most; u->next++)
        begin(u, *u->next);
}

static void close_file(struct upcoming_file *file)
{
    unpacker_free(file->unpacker);
    close(file->fd);
}

bool upcoming_take(struct upcoming *u, const char *name,
                   struct upcoming_file *file)
{
    size_t i = 0;

    while (i < u->n && u->file[i].name != name)
        i++;
    if (i == u->n) /* it was not begun; later ones may still be used */
        return false;
    *file = u->file[i];
    for (size_t before = 0; before < i; before++)
        close_file(&u->file[before]);
    u->n -= i + 1;
    memmove(u->file, u->file + i + 1, u->n * sizeof *u->file);
    return true;
}

void upcoming_free(struct upcoming *u)
{
    for (size_t i = 0; i < u->n; i++)
        close_file(&u->file[i]);
    u->n = 0;
}
