/*
 * number.c - parses and formats numbers
 */
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool number_digits(uint64_t *n, const char **text)
{
    bool fits = true;

    for (; number_is_digit(**text); ++*text)
        fits = fits && number_append(n, **text);
    return fits;
}

bool number_scan(struct number_decimal *d, const char **text)
{
    const char *start = *text;

    d->whole = 0;
    d->fits = number_digits(&d->whole, text);
    if (*text == start)
        return false;
    d->fraction = d->end = *text;
    if (**text != '.')
        return true;
    d->fraction = d->end = *text + 1;
    while (number_is_digit(*d->end))
        d->end++;
    *text = d->end;
    return d->end > d->fraction;
}

bool number_times(const struct number_decimal *d, uint64_t unit,
                  uint64_t *product)
{
    uint64_t part = 0;

    /* Adds digits from the last to the first, so that nothing overflows. */
    for (const char *digit = d->end; digit-- > d->fraction;)
        part = ((uint64_t)(*digit - '0') * unit + part) / 10;
    return d->fits && !__builtin_mul_overflow(d->whole, unit, product) &&
           !__builtin_add_overflow(*product, part, product);
}

/* Reads "ff", at most 16 digits. */
static bool read_hex(uint64_t *n, const char *digits)
{
    size_t length = strspn(digits, "0123456789abcdefABCDEF");

    if (length == 0 || length > 16 || digits[length])
        return false;
    *n = strtoull(digits, NULL, 16);
    return true;
}

/* Returns the power of ten that a letter stands for, or 0. */
static unsigned power_of(char letter)
{
    switch (letter) {
    case 'k':
    case 'K':
        return 3;
    case 'M':
        return 6;
    case 'G':
        return 9;
    case 'T':
        return 12;
    default:
        return 0;
    }
}

/* Reads "e6" or "M" after a number, as a number of zeros. */
static bool read_power(uint64_t *zeros, const char **text)
{
    bool fits = true;
    unsigned power;

    *zeros = 0;
    if (**text == 'e' && number_is_digit((*text)[1])) {
        ++*text;
        fits = number_digits(zeros, text);
    }
    power = power_of(**text);
    *text += power > 0;
    return !__builtin_add_overflow(*zeros, power, zeros) && fits;
}

bool number_count(uint64_t *count, const char *text)
{
    struct number_decimal d;
    uint64_t n, zeros, decimals;
    bool fits;

    if (text[0] == '0' && text[1] == 'x')
        return read_hex(count, text + 2);
    if (!number_scan(&d, &text) || !read_power(&zeros, &text) || *text)
        return false;
    decimals = (uint64_t)(d.end - d.fraction);
    if (zeros < decimals)
        return false;
    n = d.whole;
    fits = d.fits && number_digits(&n, &d.fraction);
    for (zeros -= decimals; zeros && n && fits; zeros--)
        fits = number_append(&n, '0');
    if (fits)
        *count = n;
    return fits;
}

const char *number_text(char out[NUMBER_TEXT], double n)
{
    static const char letters[] = "kMGTPE";
    int letter = -1;

    for (; n >= 999.5 && letters[letter + 1]; letter++)
        n /= 1000;
    if (letter < 0)
        snprintf(out, NUMBER_TEXT, "%.0f", n);
    else
        snprintf(out, NUMBER_TEXT, "%.3g%c", n, letters[letter]);
    return out;
}
