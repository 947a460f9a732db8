/*
 * stream.c - what the accuracy programs share: keys, streams and counts
 */
#include "stream.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

void die(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    fputs("accuracy: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(2);
}

freshet *open_filter(const freshet_options *options)
{
    freshet_error err;
    freshet *f;

    if (freshet_create(&f, options, &err) < 0)
        die("%s", err.message);
    return f;
}

freshet_info info_of(const freshet *f)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(f, &info);
    return info;
}

/* ---- Keys ------------------------------------------------------------- */

static void hash_range(const freshet *f, freshet_hash *key, uint64_t from,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t number = from + i;

        key[i] = freshet_hash_key(f, &number, sizeof number);
    }
}

uint64_t offer_range(freshet *f, uint64_t from, uint64_t n)
{
    freshet_hash key[BATCH];
    uint8_t seen[BATCH];
    uint64_t fresh = 0;

    for (uint64_t i = 0; i < n; i += BATCH) {
        size_t part = n - i < BATCH ? n - i : BATCH;

        hash_range(f, key, from + i, part);
        fresh += freshet_offer_batch(f, key, part, seen);
    }
    return fresh;
}

uint64_t query_range(const freshet *f, uint64_t from, uint64_t n)
{
    freshet_hash key[BATCH];
    uint8_t seen[BATCH];
    uint64_t fresh = 0;

    for (uint64_t i = 0; i < n; i += BATCH) {
        size_t part = n - i < BATCH ? n - i : BATCH;

        hash_range(f, key, from + i, part);
        fresh += freshet_query_batch(f, key, part, seen);
    }
    return fresh;
}

/* ---- Figures ---------------------------------------------------------- */

/* P(X <= count) for X Poisson. */
static double poisson_below(double mean, uint64_t count)
{
    double sum = 0;

    for (uint64_t i = 0; i <= count; i++)
        sum += exp((double)i * log(mean) - mean - lgamma((double)i + 1));
    return sum;
}

double rate_below(uint64_t count, uint64_t n)
{
    double low = (double)count,
           high = low + 4 * sqrt(low) + 4; /* five percent is well below */

    if (count > 10000) /* the normal approximation is as good there */
        return (low + 1.645 * sqrt(low)) / (double)n;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (poisson_below(middle, count) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return high / (double)n;
}

void print_head(const char *prefix, int argc, char **argv)
{
    const char *commit = getenv("BENCH_COMMIT");
    struct machine m;

    machine_read(&m);
    printf("%smachine  %s, %ld cores, huge pages: %s\n", prefix, m.cpu, m.cores,
           m.huge_pages);
    printf("%sbuild    freshet %s, %s, %s\n", prefix, freshet_version(),
           m.compiler, m.flags);
    printf("%scommit   %s\n", prefix, commit ? commit : "not told");
    printf("%scommand ", prefix);
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    putchar('\n');
}
