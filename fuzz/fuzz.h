/*
 * fuzz.h - common parts of the fuzz targets
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "freshet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks an invariant in every build, asserts on or off. */
#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,         \
                    #condition);                                               \
            abort();                                                           \
        }                                                                      \
    } while (0)

/* Returns a file with these bytes, to be closed, and a path to open it
   again. */
static inline FILE *file_of(char path[32], const void *data, size_t size)
{
    FILE *file = tmpfile();

    MUST(file && fwrite(data, 1, size, file) == size && fflush(file) == 0);
    snprintf(path, 32, "/proc/self/fd/%d", fileno(file));
    return file;
}

/* Returns a copy of exactly n bytes, so that sanitizers notice reads
   beyond it. */
static inline char *copy_of(const void *from, size_t n)
{
    char *copy = malloc(n + !n);

    MUST(copy);
    memcpy(copy, from, n);
    return copy;
}

/* A message must be one line without control characters. */
static inline void must_be_line(const char *text)
{
    MUST(*text);
    for (; *text; text++)
        MUST((unsigned char)*text >= ' ' && *text != 0x7f);
}

/* The input, consumed from the front; zeros when it is used up. */
struct input {
    const uint8_t *at;
    size_t left;
};

static inline uint64_t take(struct input *in, size_t bytes)
{
    uint64_t value = 0;

    for (size_t i = 0; i < bytes && in->left; i++, in->left--)
        value |= (uint64_t)*in->at++ << 8 * i;
    return value;
}

/* Returns the algorithm that a byte selects. */
static inline const freshet_algorithm *algorithm_of(uint64_t byte)
{
    size_t n = 0;

    while (freshet_algorithm_at(n))
        n++;
    return freshet_algorithm_at(byte % n);
}

#endif
