/*
 * check.h - common parts of the tests of the program's modules
 */
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view.h"

#define assert_contains(text, part)                                            \
    do {                                                                       \
        if (!strstr(text, part))                                               \
            fail_msg("'%s' does not say '%s'", text, part);                    \
    } while (0)

/* Compares a view with a string, which may contain any byte but zero. */
#define assert_view(seen, wanted)                                              \
    do {                                                                       \
        struct view v_ = (seen);                                               \
        const char *w_ = (wanted);                                             \
        if (v_.len != strlen(w_) || memcmp(v_.at, w_, v_.len) != 0)            \
            fail_msg("'%.*s', wanted '%s'", (int)v_.len, v_.at, w_);           \
    } while (0)

#endif
