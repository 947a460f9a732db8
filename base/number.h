/*
 * number.h - parses and formats numbers
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stdint.h>

static inline bool number_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Appends one decimal digit to n.  Returns false if the result does not fit. */
static inline bool number_append(uint64_t *n, char digit)
{
    return !__builtin_mul_overflow(*n, UINT64_C(10), n) &&
           !__builtin_add_overflow(*n, (uint64_t)(digit - '0'), n);
}

/*
 * Appends the decimal digits at *text to n, and moves *text past them.  Returns
 * false if the result does not fit; all digits are consumed in either case.
 */
bool number_digits(uint64_t *n, const char **text);

/* A decimal number such as "1.25". */
struct number_decimal {
    uint64_t whole;
    bool fits;            /* whole did not overflow */
    const char *fraction; /* first digit after the point */
    const char *end;      /* after its last digit; equal to fraction if there
                             are none */
};

/* Scans a decimal number at *text and moves *text past it.  Returns false if
   there is no digit before the point, or none after it. */
bool number_scan(struct number_decimal *d, const char **text);

/* Multiplies by a unit of at most 2^60 and rounds down.  Returns false if the
   product is above 2^64 - 1. */
bool number_times(const struct number_decimal *d, uint64_t unit,
                  uint64_t *product);

/*
 * Reads a count: "2500000", "2.5e6", "1.5M" (k, M, G and T are powers of ten)
 * or "0xff".  It must be a whole number of at most 2^64 - 1 and end the text.
 * Returns false, and leaves count alone, if it is no such number.  A small m is
 * refused, since it may be meant as minutes.
 */
bool number_count(uint64_t *count, const char *text);

/* Writes a number that is not negative with three digits: "950", "12.3k",
   "2.1M", by powers of ten.  Returns out. */
enum { NUMBER_TEXT = 16 };
const char *number_text(char out[NUMBER_TEXT], double n);

#endif
