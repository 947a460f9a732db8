/*
 * view.h - bytes that belong to somebody else
 */
#ifndef VIEW_H
#define VIEW_H

#include <stddef.h>

struct view {
    const char *at;
    size_t len;
};

#endif
