/*
 * rdkafka_library.c - librdkafka, loaded when the command kafka begins
 */
#include "rdkafka_library.h"

struct rdkafka rdk;

static const char *const names[] = {RDKAFKA_FUNCTIONS(LIBRARY_NAME) NULL};

static struct library library = {FRESHET_RDKAFKA, "librdkafka1", names, &rdk,
                                 false};

bool rdkafka_load(struct fault *why)
{
    return library_load(&library, "freshet kafka", why);
}
