/*
 * error_count.c - verdicts against the truth
 */
#include "error_count.h"

#include <string.h>

void tally_add(struct tally *sum, const struct tally *t)
{
    sum->records += t->records;
    sum->repeats += t->repeats;
    sum->seen += t->seen;
    sum->hits += t->hits;
}

struct tally tally_since(const struct tally *now, const struct tally *t)
{
    return (struct tally){now->records - t->records, now->repeats - t->repeats,
                          now->seen - t->seen, now->hits - t->hits};
}

/* Eight at a time, for it is timed too. */
uint64_t tally_both(const uint8_t *seen, const uint8_t *repeat, uint64_t n)
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

uint64_t tally_new(const struct tally *t)
{
    return t->records - t->repeats;
}

uint64_t tally_drops(const struct tally *t)
{
    return t->seen - t->hits;
}

uint64_t tally_passes(const struct tally *t)
{
    return t->repeats - t->hits;
}

double tally_false_drops(const struct tally *t)
{
    return (double)tally_drops(t) / (double)tally_new(t);
}

double tally_false_passes(const struct tally *t)
{
    return (double)tally_passes(t) / (double)t->repeats;
}
