/*
 * resume.c STATE - print each line the first time it is seen, ever
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "freshet.h"

static _Alignas(64) char block[1 << 20];

/* A crash leaves the old file or the new one; only the owner may read them. */
static void save(char *path, const freshet *f)
{
    char temporary[4096];
    size_t n;
    const void *bytes = freshet_block(f, &n);
    int fd;

    snprintf(temporary, sizeof temporary, "%.4000s.new", path);
    fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || fsync(fd) || close(fd))
        err(2, "%s", temporary);
    fd = rename(temporary, path) == 0 ? open(dirname(path), O_RDONLY) : -1;
    if (fd < 0 || fsync(fd) || close(fd)) /* without it the new name may be
                                             lost in a crash */
        err(2, "%s", path);
}

int main(int argc, char **argv)
{
    freshet_options opt = {.size = sizeof opt, .memory = sizeof block};
    freshet_error why;
    freshet *f;
    char *line = NULL;
    size_t n = 0, room = 0;
    FILE *state = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (argc != 2)
        errx(2, "usage: resume STATE");
    if (state)
        n = fread(block, 1, sizeof block, state);
    if (state ? ferror(state) || fclose(state) : errno != ENOENT)
        err(2, "%s", argv[1]);
    if ((state ? freshet_attach(&f, block, n, &why)
               : freshet_create_at(&f, block, sizeof block, &opt, &why)) < 0)
        errx(2, "%s: %s", argv[1], why.message);
    for (ssize_t len; (len = getline(&line, &room, stdin)) > 0;)
        if (freshet_offer(f, line, (size_t)len) == FRESHET_NEW)
            fwrite(line, 1, (size_t)len, stdout);
    if (ferror(stdin) || fclose(stdout)) /* what was not written is not
                                            remembered */
        err(2, "input or output");
    save(argv[1], f);
    free(line);
    freshet_free(f);
}
