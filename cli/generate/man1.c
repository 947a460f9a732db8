/*
 * man1.c - freshet(1) out of the option tables
 *
 * Text that is no fact of a table stands here, in mdoc.
 */
#include <stdio.h>

#include "command.h"
#include "completions.h"
#include "stats.h"

static const char opening[] =
    ".\\\" Written by freshet --generate man: change cli/, not this.\n"
    ".Dd November 15, 2026\n"
    ".Dt FRESHET 1\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm freshet\n"
    ".Nd print each record the first time it is seen\n"
    ".Sh SYNOPSIS\n"
    ".Nm\n"
    ".Op Ar OPTION ...\n"
    ".Op Ar FILE ...\n";

static const char description[] =
    ".Sh DESCRIPTION\n"
    ".Nm\n"
    "removes repeats from a stream that need not be sorted and need not end,\n"
    "in memory that does not grow.\n"
    "Records are read from each\n"
    ".Ar FILE\n"
    "in turn, or from standard input if there is none or it is\n"
    ".Sq - .\n"
    "Each is printed the first time it is seen, in the order of the input.\n"
    ".Pp\n"
    "Memory is fixed, so the answer can be wrong, in two ways:\n"
    "a\n"
    ".Em false drop\n"
    "is a new record taken for a repeat, and lost;\n"
    "a\n"
    ".Em false pass\n"
    "is a repeat taken for new, because it was forgotten, and kept.\n"
    ".Fl Fl explain\n"
    "tells beforehand how often to expect either.\n"
    ".Pp\n"
    "Records are bytes, up to a newline unless told otherwise.\n"
    "A last record without one is equal to one with it, and is printed with\n"
    "it.\n"
    "When no more input is ready, all that is decided is written before\n"
    "waiting.\n"
    ".Pp\n"
    "Fields of\n"
    ".Fl k\n"
    "are numbered from 1 as in\n"
    ".Xr cut 1 :\n"
    ".Fl k Ar 2\n"
    "is the second field alone.\n"
    "Without\n"
    ".Fl t\n"
    "they are apart by blanks.\n"
    "A record that lacks a field named has no key.\n"
    ".Fl f ,\n"
    ".Fl s\n"
    "and\n"
    ".Fl w\n"
    "are as in\n"
    ".Xr uniq 1 .\n"
    ".Fl D\n"
    "prints repeats without the first of them, which was not known to be\n"
    "one when it passed.\n"
    ".Fl d\n"
    "remembers what it printed in a second filter; each has half the "
    "memory.\n"
    ".Pp\n"
    "A window counts from a key's first pass, so that what repeats without\n"
    "end is printed once in each; with\n"
    ".Fl Fl refresh\n"
    "it counts from the last repeat.\n"
    "A key is forgotten no earlier, memory permitting, and no later than an\n"
    "eighth of the window after it.\n"
    ".Pp\n"
    "With\n"
    ".Fl Fl state\n"
    "what was not written is not remembered: output is flushed and synced\n"
    "before the filter is saved; where that failed the keys of what was not\n"
    "written are forgotten first, or nothing is saved.\n"
    "A reader that went away ends the run by\n"
    ".Dv SIGPIPE\n"
    "as ever, after the state was saved.\n"
    "After a crash records may be printed again; none is lost.\n"
    "Options that contradict the saved filter, or would take other keys than\n"
    "those it remembers, are refused.\n"
    "A second process on the same file is refused.\n"
    "The file is described in\n"
    ".Xr freshet 5 .\n";

static const char behaviour[] =
    ".Sh FILES\n"
    ".Bl -tag -width Ds\n"
    ".It Ar FILE\n"
    "of\n"
    ".Fl Fl state :\n"
    "the saved filter, see\n"
    ".Xr freshet 5 .\n"
    ".It Ar FILE Ns .tmp\n"
    "the next one, until it is complete and takes the place of the last.\n"
    ".It Ar FILE Ns .lock\n"
    "is locked while a process may write\n"
    ".Ar FILE ;\n"
    "left behind by a killed one, it does no harm.\n"
    ".El\n"
    ".Sh SIGNALS\n"
    ".Dv SIGINT ,\n"
    ".Dv SIGTERM\n"
    "and\n"
    ".Dv SIGHUP :\n"
    "what is decided is written, the state saved, statistics printed if asked\n"
    "for, then\n"
    ".Nm\n"
    "dies by the signal; a second one ends it at once.\n"
    ".Dv SIGUSR1 :\n"
    "statistics are printed.\n"
    ".Dv SIGUSR2 :\n"
    "the state is saved, as at a checkpoint.\n"
    ".Sh EXIT STATUS\n"
    ".Bl -tag -width 2n\n"
    ".It 0\n"
    "Done; repeats are no error.\n"
    ".It 1\n"
    "With\n"
    ".Fl Fl check :\n"
    "there was a repeat.\n"
    ".It 2\n"
    "Trouble: misuse, something unreadable, a write that failed, a state not\n"
    "saved, a server that does not answer.\n"
    ".El\n";

static const char figures[] =
    ".Sh FIGURES\n"
    "What\n"
    ".Fl Fl stats\n"
    "prints under these names,\n"
    ".Fl Fl metrics\n"
    "writes as the metrics in parentheses, in the text format of Prometheus.\n"
    "The file is replaced every 5 seconds, also while nothing comes, and at\n"
    "the end; it is never half written.\n"
    "It holds counts and no records, so all may read it unless it was there\n"
    "with another mode.\n"
    "Each process needs a file of its own.\n"
    "What takes a look into the filter is renewed less often where the\n"
    "filter is large.\n"
    ".Bl -tag -width Ds\n";

static const char closing[] = ".Sh SEE ALSO\n"
                              ".Xr sort 1 ,\n"
                              ".Xr uniq 1 ,\n"
                              ".Xr freshet 3 ,\n"
                              ".Xr freshet 5 ,\n"
                              ".Xr freshet-algorithms 7\n";

void put_text(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
}

static void put_option(const struct option_spec *o)
{
    fputs(".It", stdout);
    for (const struct option_spec *a = o; a == o || (a->name && !a->help); a++)
        if (a->letter)
            printf(" Fl %c ,", a->letter);
    printf(" Fl Fl %s", o->name);
    if (o->kind == OPTION_MODE)
        printf(" Ns Op = Ns Cm text | json");
    else if (o->operand)
        printf(" Ar %s", o->operand);
    putchar('\n');
    put_text(o->help);
    putchar('\n');
}

static void put_options(const struct option_spec *o)
{
    bool open = false;

    for (; o->name; o++) {
        if (o->kind == OPTION_HEADING && open)
            puts(".El");
        if (o->kind == OPTION_HEADING)
            printf(".Ss %s\n", o->name);
        if (o->kind == OPTION_HEADING || !open)
            puts(".Bl -tag -width Ds");
        open = true;
        if (o->kind != OPTION_HEADING && o->kind != OPTION_REFUSED && o->help)
            put_option(o);
    }
    if (open)
        puts(".El");
}

static void put_command(const struct cli_command *c)
{
    printf(".Ss freshet %s %s\n%s.\n", c->name, c->operands, c->summary);
    put_options(c->options);
    for (size_t i = 0; c->commands && c->commands[i]; i++)
        put_command(c->commands[i]);
}

static void put_figure(const struct stats_row *row)
{
    char metric[STATS_NAME];

    printf(".It %s (%s%s)\n", row->name, stats_metric(metric, row),
           row->kind == STATS_RATE ? "_wrong, _of, _rate, _low95, _high95"
                                   : "");
    put_text(row->help);
    putchar('\n');
}

static void put_figures(void)
{
    fputs(figures, stdout);
    for (const struct stats_row *row = stats_rows; row->name; row++)
        put_figure(row);
    puts(".El");
}

void generate_man(void)
{
    fputs(opening, stdout);
    for (size_t i = 0; cli_commands[i]; i++)
        printf(".Nm\n.Cm %s\n.Op Ar OPTION ...\n", cli_commands[i]->name);
    fputs(description, stdout);
    puts(".Sh OPTIONS");
    put_options(cmd_filter.options);
    puts(".Pp\nEvery command has\n.Fl Fl help\nand\n.Fl Fl version .");
    puts(".Sh COMMANDS");
    for (size_t i = 0; cli_commands[i]; i++)
        put_command(cli_commands[i]);
    put_figures();
    generate_remote();
    fputs(behaviour, stdout);
    generate_examples();
    fputs(closing, stdout);
    generate_notes();
}
