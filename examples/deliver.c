/*
 * deliver.c - a consumer that must not lose records
 *
 * Offering a key remembers it at once.  If delivery then fails, the record's
 * second try is a repeat and is lost.  So: ask, deliver, and only then
 * remember.  A crash in between delivers twice; it never delivers nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "freshet.h"

/* Delivery that fails now and then, as networks do: every fifth try. */
static int deliver(const char *line, size_t len)
{
    static unsigned tries;

    if (++tries % 5 == 0)
        return -1;
    return fwrite(line, 1, len, stdout) == len && fflush(stdout) == 0 ? 0 : -1;
}

int main(void)
{
    freshet_options opt = {.size = sizeof opt, .memory = 1 << 20};
    freshet_error err;
    freshet *f;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    if (freshet_create(&f, &opt, &err) < 0) {
        fprintf(stderr, "deliver: %s\n", err.message);
        return 2;
    }
    while ((len = getline(&line, &room, stdin)) > 0) {
        if (freshet_query(f, line, (size_t)len) == FRESHET_SEEN)
            continue;
        if (deliver(line, (size_t)len) == 0)
            freshet_remember(f, line, (size_t)len);
        else
            fprintf(stderr, "deliver: failed, will be sent again: %s", line);
    }
    freshet_free(f);
    free(line);
    return ferror(stdin) || ferror(stdout) ? 2 : 0;
}
