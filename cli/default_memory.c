/*
 * default_memory.c - how much memory a filter gets if no option says it
 *
 * There is one empty record, and there are 255 different records of one byte
 * and 255 * 255 of two; all others take at least four bytes with their
 * delimiter.  So a file of s bytes has at most s / 4 + 16385 different records.
 * A pocket filter needs 4.5 bytes for each key that it shall keep: 9/8 s +
 * 73733 bytes are enough whatever the records are.  A filter gets a little
 * more: 5/4 s + 128 KiB, in whole huge pages, since each of the small pages
 * that would be left at its end would take a page fault.
 */
#include "default_memory.h"

#include "input_size.h"

#define SPARE     ((uint64_t)128 << 10)
#define USUAL     ((uint64_t)256 << 20)
#define HUGE_PAGE ((uint64_t)2 << 20)

static uint64_t enough_for(uint64_t input)
{
    uint64_t bytes = input + input / 4 + SPARE;

    return bytes < HUGE_PAGE ? bytes
                             : (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/*
 * Returns the size of all inputs together, or 0 if it is not known, or if the
 * usual memory is less than they need.
 */
static uint64_t total_size(int n, char **files)
{
    uint64_t total = 0;

    for (int i = 0; i < n; i++) {
        uint64_t size = input_size(files[i]);

        if (size == 0 || size > USUAL)
            return 0;
        total += size;
        if (enough_for(total) > USUAL)
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
    got.bytes = enough_for(got.input);
    return got;
}
