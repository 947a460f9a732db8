/*
 * replay.c - runs a fuzz target over saved inputs, without a fuzzer
 *
 *     fuzz_TARGET FILE-OR-DIRECTORY...
 *
 * An input that cannot be read is a failure: a test that reads nothing proves
 * nothing.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned long replayed, failed;

static void complain(const char *path)
{
    perror(path);
    failed++;
}

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat st;
    uint8_t *data;
    size_t n;

    if (!file || fstat(fileno(file), &st) != 0) {
        complain(path);
        return;
    }
    n = (size_t)st.st_size;
    data = malloc(n + !n); /* exact, so that sanitizers notice reads beyond
                              it */
    if (!data || fread(data, 1, n, file) != n) {
        complain(path);
    } else {
        LLVMFuzzerTestOneInput(data, n);
        replayed++;
    }
    free(data);
    fclose(file);
}

static void replay_directory(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *e;
    char name[4096];

    if (!dir) {
        complain(path);
        return;
    }
    while ((e = readdir(dir))) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            replay_file(name);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct stat st;

        if (stat(argv[i], &st) != 0)
            complain(argv[i]);
        else if (S_ISDIR(st.st_mode))
            replay_directory(argv[i]);
        else
            replay_file(argv[i]);
    }
    printf("%lu inputs replayed\n", replayed);
    return failed || replayed == 0;
}
