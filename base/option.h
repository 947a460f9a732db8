/*
 * option.h - rows of option tables, and the values of options
 *
 * The commands of the program, the generators, the laboratory and the module
 * describe their options by such rows.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OPTION_LIST = 8,      /* most values of a list option */
    OPTION_TEXT_LIST = 64 /* most values of one that is given several times */
};

struct option_list {
    size_t n;
    uint64_t value[OPTION_LIST];
};

struct option_texts {
    size_t n;
    const char *text[OPTION_TEXT_LIST];
};

/* The kind of an option's value, and the type of its field. */
enum option_kind {
    OPTION_SWITCH, /* bool */
    OPTION_TEXT,   /* const char *, into argv */
    OPTION_FILE,   /* the same for a file name, which must not be empty */
    OPTION_CHOICE, /* int: index of one of the operand's words, "new|half" */
    OPTION_SIZE,   /* uint64_t, "64M" */
    OPTION_SIZES,  /* struct option_list, "16M,1G" */
    OPTION_COUNT,  /* uint64_t, "1000000", "1M" or "1e6" */
    OPTION_COUNTS, /* struct option_list, "256,1" */
    OPTION_REAL,   /* double, not negative, "0.3" */
    OPTION_RATE,   /* double, between 0 and 1, "1e-6", "0.1%" or "1/1000" */
    OPTION_SHARE,  /* double, from 0 to 1 */

    OPTION_POSITIVE, /* uint64_t, a count above 0 */
    OPTION_MEMORY,   /* uint64_t, a size above 0, or "25%" of the machine's
                        memory */
    OPTION_DURATION, /* uint64_t, nanoseconds above 0, "30s" or "1h30m" */
    OPTION_LIMIT,    /* uint64_t, a duration, or UINT64_MAX for "none" */
    OPTION_BYTE,     /* int, ",", "\\t", "\\x1f" */
    OPTION_TEXTS,    /* struct option_texts, which may be given several times */
    OPTION_MODE,     /* int: 0 absent, 1 bare, else 1 + word: "=text|json" */
    OPTION_REFUSED,  /* no field: the help says why there is no such option */
    OPTION_HEADING   /* not an option: the heading of the rows that follow */
};

/* A row without help is another spelling of the row above it. */

struct option_spec {
    char letter;      /* 0 if none */
    const char *name; /* without the dashes */
    enum option_kind kind;
    size_t offset;       /* offset of its field in the command's args */
    const char *operand; /* "SIZE"; NULL for a switch */
    const char *help;    /* one line; the default in parentheses */
};

/* Sets the field of an option to the value in text.  Returns false if the text
   is not of the option's kind. */
bool option_parse(const struct option_spec *option, void *field,
                  const char *text);

/* Returns a description of the values that an option takes: "a whole
   number". */
const char *option_expected(const struct option_spec *option);

#endif
