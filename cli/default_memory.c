/*
 * default_memory.c - how much memory a filter gets when nobody says it
 *
 * A file of s bytes has at most s / 3 different records: those of one byte are
 * few, all others take two bytes and a delimiter.  A pocket filter needs 4.5
 * bytes for each key that it shall keep, so that 2 s bytes are enough whatever
 * the records are.
 */
#include "default_memory.h"

#include "input_size.h"

#define LEAST ((uint64_t)64 << 10)
#define USUAL ((uint64_t)256 << 20)

/* All inputs together; 0: they do not tell, or are too large to matter. */
static uint64_t total_size(int n, char **files)
{
    uint64_t total = 0;

    for (int i = 0; i < n; i++) {
        uint64_t size = input_size(files[i]);

        if (size == 0 || size > USUAL / 2)
            return 0;
        total += size;
        if (total > USUAL / 2)
            return 0;
    }
    return total;
}

struct default_memory default_memory(int n, char **files, bool as_is)
{
    static char dash[] = "-";
    char *standard[] = {dash};
    struct default_memory none = {0, 0}, got;

    if (n == 0) {
        n = 1;
        files = standard;
    }
    got.input = total_size(n, files);
    if (got.input == 0)
        return none;
    for (int i = 0; !as_is && i < n; i++)
        if (!input_is_plain(files[i]))
            return none;
    got.bytes = 2 * got.input > LEAST ? 2 * got.input : LEAST;
    return got;
}
