/*
 * record.c - realistic text records, each computed from its key alone
 */
#include "record.h"

#include <string.h>

#include "decimal.h"
#include "dice.h"

/* Writes the date of a number of days since 1 March of year 0 (Howard Hinnant's
   algorithm). */
static void put_date(char *out, uint64_t days)
{
    uint64_t era = days / 146097, day = days % 146097;
    uint64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    uint64_t of_year = day - (365 * year + year / 4 - year / 100);
    uint64_t month = (5 * of_year + 2) / 153; /* counted from March */
    uint64_t from_january = month < 10 ? month + 3 : month - 9;

    year += era * 400 + (from_january <= 2);
    decimal_fixed(out, year, 4);
    out[4] = '-';
    decimal_fixed(out + 5, from_january, 2);
    out[7] = '-';
    decimal_fixed(out + 8, of_year - (153 * month + 2) / 5 + 1, 2);
}

#define EPOCH UINT64_C(740240) /* days from 1 March 0 to 15 November 2026 */
#define DAY   UINT64_C(86400000)
#define YEARS (UINT64_C(2000000) * DAY) /* before the year has five digits */

static void put_time(char *out, uint64_t ms)
{
    uint64_t second = ms % DAY / 1000;

    put_date(out, EPOCH + ms / DAY);
    out[10] = 'T';
    decimal_fixed(out + 11, second / 3600, 2);
    out[13] = ':';
    decimal_fixed(out + 14, second / 60 % 60, 2);
    out[16] = ':';
    decimal_fixed(out + 17, second % 60, 2);
    out[19] = '.';
    decimal_fixed(out + 20, ms % 1000, 3);
    out[23] = 'Z';
}

static void put_hex(char *out, uint64_t value)
{
    for (int i = 15; i >= 0; i--, value >>= 4)
        out[i] = "0123456789abcdef"[value & 15];
}

size_t record_text(char *out, const struct record_form *form, uint64_t key)
{
    static const uint64_t power[] = {1,     10,     100,     1000,
                                     10000, 100000, 1000000, 10000000};
    uint64_t id = dice_at(0, key); /* different for each key */
    uint64_t random = dice_mix(id + 1);

    memcpy(out, form->line, form->len);
    put_time(out + form->time, key % YEARS);
    put_hex(out + form->id, id);
    for (size_t i = 0; i < RECORD_GAPS && form->gap[i].digits; i++) {
        unsigned digits = form->gap[i].digits;

        decimal_fixed(out + form->gap[i].at,
                      dice_below(random << form->gap[i].shift, power[digits]),
                      digits);
    }
    return form->len;
}
