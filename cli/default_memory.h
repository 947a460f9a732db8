/*
 * default_memory.h - how much memory a filter gets if no option says it
 */
#ifndef DEFAULT_MEMORY_H
#define DEFAULT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: the input does not tell, and the filter gets the usual memory. */
struct default_memory {
    uint64_t bytes; /* for the filter */
    uint64_t input; /* that they are enough for */
};

/*
 * Returns the memory that keeps every key of the inputs, if all of them are
 * plain files: 5/4 of their size and 128 KiB.  No file at all is standard
 * input; as_is: nothing is decompressed.
 */
struct default_memory default_memory(int n, char **files, bool as_is);

#endif
