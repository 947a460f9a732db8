/*
 * fault.c - the reason of a failure, as a sentence for the user
 */
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

bool fault_set(struct fault *fault, const char *format, ...)
{
    va_list args;

    if (!fault)
        return false;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    for (char *c = fault->text; *c; c++) /* it may quote a user's text */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return false;
}
