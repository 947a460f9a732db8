/*
 * pocket_narrow.h - narrowing a line in plain C
 */
#ifndef FR_POCKET_NARROW_H
#define FR_POCKET_NARROW_H

#include "pocket_line.h"

/* Puts a key in front of a full line and packs all slots at a smaller width.
   Widths that most filters pass through are constants. */
FR_INLINE void line_narrow(uint64_t *line, uint64_t lo, unsigned slots,
                           unsigned from, unsigned to)
{
    if (from == 64 && to == 48)
        fr_line_narrow(line, fr_print(lo, 48), 7, 64, 48, FR_PLAIN_STACK);
    else if (from == 48 && to == 32)
        fr_line_narrow(line, fr_print(lo, 32), 10, 48, 32, FR_PLAIN_STACK);
    else if (from == 32 && to == 26)
        fr_line_narrow(line, fr_print(lo, 26), 15, 32, 26, FR_PLAIN_STACK);
    else if (from == 32 && to == 24)
        fr_line_narrow(line, fr_print(lo, 24), 15, 32, 24, FR_PLAIN_STACK);
    else if (from == 24 && to == 16)
        fr_line_narrow(line, fr_print(lo, 16), 20, 24, 16, FR_PLAIN_STACK);
    else
        fr_line_narrow(line, fr_print(lo, to), slots, from, to, FR_PLAIN_STACK);
}

#endif
