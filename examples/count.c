/*
 * count.c - how many lines of standard input were seen before?
 */
#include <stdio.h>
#include <stdlib.h>

#include "freshet.h"

int main(void)
{
    freshet_options opt = {.size = sizeof opt, .memory = 16 << 20};
    freshet_info info = {.size = sizeof info};
    freshet_error err;
    freshet *f;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    if (freshet_create(&f, &opt, &err) < 0) {
        fprintf(stderr, "count: %s\n", err.message);
        return 2;
    }
    while ((len = getline(&line, &room, stdin)) > 0) {
        if (line[len - 1] == '\n')
            len--; /* a last line without its newline is the same line */
        freshet_offer(f, line, (size_t)len);
    }
    freshet_get_info(f, &info);
    printf("%llu records: %llu new, %llu repeats\n",
           (unsigned long long)info.offered, (unsigned long long)info.fresh,
           (unsigned long long)(info.offered - info.fresh));
    printf("%s with %s in %llu bytes, chance of a false drop %.2g\n",
           info.algorithm, info.params, (unsigned long long)info.memory,
           info.false_drop);
    freshet_free(f);
    free(line);
    return ferror(stdin) || fclose(stdout) ? 2 : 0;
}
