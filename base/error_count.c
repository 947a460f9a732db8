/*
 * error_count.c - counts false drops and false passes
 */
#include "error_count.h"

#include <string.h>

void error_count_add(struct error_count *sum, const struct error_count *t)
{
    sum->records += t->records;
    sum->repeats += t->repeats;
    sum->seen += t->seen;
    sum->hits += t->hits;
}

struct error_count error_count_since(const struct error_count *now,
                                     const struct error_count *t)
{
    return (struct error_count){now->records - t->records,
                                now->repeats - t->repeats, now->seen - t->seen,
                                now->hits - t->hits};
}

/* Compares eight bytes at a time, because its time is measured as well. */
uint64_t error_count_both(const uint8_t *seen, const uint8_t *repeat,
                          uint64_t n)
{
    uint64_t sum = 0, i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t x, y;

        memcpy(&x, seen + i, 8);
        memcpy(&y, repeat + i, 8);
        sum += (x & y) * UINT64_C(0x0101010101010101) >> 56;
    }
    for (; i < n; i++)
        sum += seen[i] & repeat[i];
    return sum;
}

uint64_t error_count_new(const struct error_count *t)
{
    return t->records - t->repeats;
}

uint64_t error_count_drops(const struct error_count *t)
{
    return t->seen - t->hits;
}

uint64_t error_count_passes(const struct error_count *t)
{
    return t->repeats - t->hits;
}

double error_count_false_drops(const struct error_count *t)
{
    return (double)error_count_drops(t) / (double)error_count_new(t);
}

double error_count_false_passes(const struct error_count *t)
{
    return (double)error_count_passes(t) / (double)t->repeats;
}
