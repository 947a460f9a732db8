/*
 * status.c - texts of statuses, and how messages are written
 */
#include <stdarg.h>
#include <stdio.h>

#include "algo.h"

const char *freshet_status_text(int status)
{
    switch (status) {
#define X(name, number, text)                                                  \
    case number:                                                               \
        return text;
        FRESHET_STATUS_MAP(X)
#undef X
    }
    return "unknown status";
}

int fr_fail(freshet_error *err, int status, const char *format, ...)
{
    if (err) {
        va_list ap;

        err->status = status;
        va_start(ap, format);
        vsnprintf(err->message, sizeof err->message, format, ap);
        va_end(ap);
        for (char *c = err->message; *c; c++) /* the message quotes text of
                                                 the user */
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                *c = '?';
    }
    return status;
}
