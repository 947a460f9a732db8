/*
 * view.h - a range of bytes that it does not own
 */
#ifndef VIEW_H
#define VIEW_H

#include <stddef.h>

struct view {
    const char *at;
    size_t len;
};

#endif
