/*
 * deflate_find.h - finds a block in the middle of deflate data
 */
#ifndef DEFLATE_FIND_H
#define DEFLATE_FIND_H

#include <stddef.h>
#include <stdint.h>

#define DEFLATE_NOWHERE UINT64_MAX

/*
 * Returns the first bit from "from" on, and before "to", at which a block with
 * dynamic codes may begin that is not the last one; or DEFLATE_NOWHERE.  Its
 * codes are complete, which is rarely so by chance.  The data have
 * DEFLATE_SPARE bytes more than len.
 */
uint64_t deflate_find(const unsigned char *data, size_t len, uint64_t from,
                      uint64_t to);

#endif
