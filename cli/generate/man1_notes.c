/*
 * man1_notes.c - what freshet(1) says beside the tables: examples, notes
 * and bugs
 */
#include <stdio.h>

#include "command.h"
#include "completions.h"

/* Run by tests/golden/cli/examples.sh, as they stand here. */
static const struct example {
    const char *what, *command;
} examples[] = {
    {"Each name once, in the order in which they first appear",
     "freshet names"},
    {"Names to one file, their repeats to another",
     "freshet -o once --dup-output again names"},
    {"Whether there is any repeat at all", "freshet -q names || echo yes"},
    {"Each visitor, the first word, at most once a day",
     "freshet -k 1 --within 24h access.log"},
    {"Events of each user a minute apart or more, by their own time",
     "freshet --json .user --within 1m --time .at events.json.gz"},
    {"Orders that were not there at the last run",
     "freshet --csv order --state orders.seen orders.csv"},
    {"Lines that differ in more than the number in brackets",
     "freshet --regex '^(.*)\\[\\d+\\](.*)' messages"},
    {"Count, and check how often it was wrong",
     "freshet -m 1M --audit --stats names"},
    {NULL, NULL},
};

static const char notes[] =
    ".Sh NOTES\n"
    "Everything is bytes: locale and encoding have no say, and\n"
    ".Fl i\n"
    "knows the letters of ASCII only.\n"
    ".Pp\n"
    "Keys are hashed with a seed that is drawn anew for each filter, so that\n"
    "somebody outside cannot tell which record would be dropped as a repeat "
    "of\n"
    "another; hence which records are false drops differs from run to run,\n"
    "unless\n"
    ".Fl Fl seed\n"
    "is given.\n"
    ".Pp\n"
    "Keys of several parts are compared part by part: \\(dqab\\(dq and "
    "\\(dqc\\(dq\n"
    "are not \\(dqa\\(dq and \\(dqbc\\(dq.\n"
    ".Pp\n"
    "What it claims about errors can be checked:\n"
    ".Fl Fl audit\n"
    "keeps the exact truth for a sample of the keys of this very stream, and\n"
    "reports what it finds with its margin.\n"
    ".Sh BUGS\n"
    "A false drop can be made as rare as memory allows, but never impossible.\n"
    "Where one lost record is one too many, use\n"
    ".Ql sort -u ,\n"
    "which wants the stream to end.\n"
    ".Pp\n"
    "Only 64-bit machines of little-endian byte order are supported.\n";

void generate_examples(void)
{
    puts(".Sh EXAMPLES\n.Bd -literal");
    put_text(cmd_filter.examples);
    puts(".Ed");
    for (const struct example *e = examples; e->what; e++) {
        printf(".Pp\n%s:\n.Dl $ ", e->what);
        put_text(e->command);
        putchar('\n');
    }
}

void generate_notes(void)
{
    fputs(notes, stdout);
}
