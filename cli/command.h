/*
 * command.h - what the subcommands share
 *
 * Each fact about an option stands once, in its command's table: the parser
 * and --help read it, and so will the man page and the completions.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLI_GO = -1, /* from cli_parse(): nothing to exit for, carry on */
    CLI_OK = 0,
    CLI_FOUND = 1, /* an answer, as with grep */
    CLI_TROUBLE = 2
};

enum { CLI_LIST = 8 }; /* values a list option takes at most */

struct cli_list {
    size_t n;
    uint64_t value[CLI_LIST];
};

struct cli_texts {
    size_t n;
    const char *text[CLI_LIST];
};

/* What an option takes, and the type of the field it sets. */
enum cli_kind {
    CLI_SWITCH, /* bool */
    CLI_TEXT,   /* const char *, into argv */
    CLI_CHOICE, /* int: which of the operand's words, "new|half" */
    CLI_SIZE,   /* uint64_t, "64M" */
    CLI_SIZES,  /* struct cli_list, "16M,1G" */
    CLI_COUNT,  /* uint64_t, "1000000" or "1e6" */
    CLI_COUNTS, /* struct cli_list, "256,1" */
    CLI_REAL,   /* double, not negative, "0.3" */
    CLI_RATE,   /* double, between 0 and 1, "1e-6", "0.1%" or "1/1000" */
    CLI_SHARE,  /* double, as a rate, but 0 and 1 too */

    CLI_POSITIVE, /* uint64_t, a count above 0 */
    CLI_MEMORY,   /* uint64_t, a size above 0, or "25%" of the machine's */
    CLI_DURATION, /* uint64_t, nanoseconds above 0, "30s" or "1h30m" */
    CLI_BYTE,     /* int, ",", "\\t", "\\x1f" */
    CLI_TEXTS,    /* struct cli_texts, one more each time it is given */
    CLI_MODE,     /* int: 0 absent, 1 bare, else 1 + which word: "=text|json" */
    CLI_REFUSED,  /* no field: the help says why there is no such thing */
    CLI_HEADING   /* no option at all: a title for those that follow */
};

/* A row without help is another spelling of the row above it. */

struct cli_option {
    char letter;      /* 0 if none */
    const char *name; /* without the dashes */
    enum cli_kind kind;
    size_t offset;       /* of the field it sets in the command's args */
    const char *operand; /* "SIZE"; NULL for a switch */
    const char *help;    /* one line; the default in parentheses */
};

struct cli_command {
    const char *name;                          /* NULL: the program itself */
    const char *operands;                      /* "[FILE]..." */
    const char *summary;                       /* one line, no full stop */
    const char *examples;                      /* lines as --help shows them */
    const struct cli_option *options;          /* ends at a NULL name */
    const struct cli_command *const *commands; /* its own, or NULL */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cmd_bench, cmd_filter, cmd_gen, cmd_info,
    cmd_lab, cmd_lab_report, cmd_lab_reproduce, cmd_lab_run, cmd_list, cmd_plan;

/* Every subcommand, ending at NULL.  cmd_filter has no name: it is not here. */
extern const struct cli_command *const cli_commands[];

/* What the program answers for every command: --help and --version. */
extern const struct cli_option cli_common[];

/*
 * Set args from the options in argv, wherever they stand, and leave argc and
 * argv with the operands alone.  CLI_GO, or the status to exit with: after a
 * complaint, or after --help or --version has answered.  An option given
 * twice keeps its last value.
 */
int cli_parse(const struct cli_command *command, void *args, int *argc,
              char ***argv);

/* One value of an option, "text" as typed; false if it is not of that kind. */
bool cli_value(const struct cli_option *option, void *field, const char *text);

/* What such a value looks like: "a whole number". */
const char *cli_wanted(const struct cli_option *option);

/* A command's name without that of the command it belongs to: "run". */
const char *cli_own_name(const struct cli_command *command);

/* "start word word ...", to be freed; NULL if there is no memory. */
char *cli_line(const char *start, int argc, char **argv);

/* Print a command's --help. */
void cli_help(const struct cli_command *command);

/* Complain as "freshet: ..." and return CLI_TROUBLE. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a misused command line, with a pointer to its --help. */
int cli_misuse(const struct cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Flush standard output and look: a full disk is trouble.  Every command ends
 * in it, and long ones call it after each result.
 */
int cli_finish(void);

#endif
