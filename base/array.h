/*
 * array.h - arrays that grow
 *
 * Both functions return the array, which may have moved, or NULL if there is
 * no memory; the array that was passed then stays as it is.
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes room for at least `wanted` items of `size` bytes.  *room is the number
   of items that there is room for, and is updated. */
static inline void *array_reserve(void *array, size_t *room, size_t wanted,
                                  size_t size)
{
    size_t more = 2 * *room > wanted ? 2 * *room : wanted;
    void *moved;

    if (wanted <= *room)
        return array;
    moved = more <= PTRDIFF_MAX / size ? realloc(array, more * size) : NULL;
    if (moved)
        *room = more;
    return moved;
}

/*
 * Makes room for one more item after n, in an array that only grows by this
 * function: it doubles at each power of two, so its room need not be stored.
 */
static inline void *array_add(void *array, size_t n, size_t size)
{
    size_t room = n;

    return n & (n - 1) ? array : array_reserve(array, &room, n + 1, size);
}

#endif
