/*
 * consumer.c - a program that knows freshet only as installed
 *
 * Valid C11 and valid C++, so that both compilers meet the header.
 */
#include <freshet.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *records[] = {"a", "b", "a"};
    freshet_options opt;
    freshet *f;
    int seen = 0;

    memset(&opt, 0, sizeof opt);
    opt.size = sizeof opt;
    opt.memory = 1 << 16;
    if (freshet_create(&f, &opt, NULL) < 0)
        return 1;
    for (int i = 0; i < 3; i++)
        seen += freshet_offer(f, records[i], 1) == FRESHET_SEEN;
    freshet_free(f);
    printf("%s: %d repeat\n", freshet_version(), seen);
    return seen == 1 ? 0 : 1;
}
