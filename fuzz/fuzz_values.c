/*
 * fuzz_values.c - numbers, sizes, rates and times as users may type them
 *
 * A value is refused, or it is in its range; its written form is read as the
 * same value.
 */
#include <inttypes.h>
#include <math.h>

#include "duration.h"
#include "fuzz.h"
#include "option.h"
#include "size.h"
#include "timestamp.h"

#define LATEST UINT64_C(1700000000000000000)

/* Parses a value of this kind. */
static bool reads(enum option_kind kind, void *value, const char *text)
{
    struct option_spec option = {.kind = kind, .operand = "new|half"};

    MUST(option_expected(&option)[0]);
    return option_parse(&option, value, text);
}

static void numbers(const char *text)
{
    struct option_list list = {0};
    uint64_t n = 7;
    double x = -1;
    int byte = -1;

    if (!reads(OPTION_COUNT, &n, text))
        MUST(n == 7);
    if (reads(OPTION_POSITIVE, &n, text))
        MUST(n > 0);
    if (reads(OPTION_COUNTS, &list, text) || reads(OPTION_SIZES, &list, text))
        MUST(list.n >= 1 && list.n <= OPTION_LIST);
    if (reads(OPTION_REAL, &x, text))
        MUST(x >= 0 && isfinite(x));
    if (reads(OPTION_RATE, &x, text))
        MUST(x > 0 && x < 1);
    if (reads(OPTION_BYTE, &byte, text))
        MUST(byte >= 0 && byte <= 255);
    if (reads(OPTION_CHOICE, &byte, text))
        MUST(byte == 0 || byte == 1);
}

/* The text of a size is right to three digits. */
static void sizes(const char *text)
{
    char out[SIZE_TEXT];
    uint64_t bytes = 7, memory = 0;

    if (!reads(OPTION_SIZE, &bytes, text)) {
        MUST(bytes == 7);
    } else {
        MUST(!bytes || reads(OPTION_MEMORY, &memory, text));
        MUST(memory == bytes);
        size_text(out, bytes);
        MUST(memchr(out, '\0', sizeof out));
    }
    if (reads(OPTION_MEMORY, &memory, text))
        MUST(memory > 0);
}

static void durations(const char *text)
{
    struct fault why = {""};
    char out[32];
    uint64_t ns = 7, again = 0;

    if (reads(OPTION_DURATION, &ns, text))
        MUST(ns > 0);
    ns = 7;
    if (!duration_read(&ns, text, &why)) {
        MUST(ns == 7 && why.text[0]);
        return;
    }
    snprintf(out, sizeof out, "%" PRIu64 "ns", ns);
    MUST(ns > 0 && duration_read(&again, out, &why));
    MUST(again == ns);
}

/* The nanoseconds of a time, written as a number, are the same time if they are
   large enough to count as nanoseconds. */
static void times(struct view text)
{
    char out[32];
    uint64_t ns = 7, again = 0;

    if (!timestamp_read(&ns, text, LATEST)) {
        MUST(ns == 7);
        return;
    }
    MUST(timestamp_read(&again, text, LATEST) && again == ns);
    if (ns < UINT64_C(100000000000000000))
        return;
    snprintf(out, sizeof out, " %" PRIu64 " ", ns);
    MUST(timestamp_read(&again, (struct view){out, strlen(out)}, LATEST));
    MUST(again == ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1); /* exact, except for the final zero */

    MUST(bytes);
    memcpy(bytes, data, size);
    times((struct view){bytes, size});
    bytes[size] = '\0';
    numbers(bytes);
    sizes(bytes);
    durations(bytes);
    free(bytes);
    return 0;
}
