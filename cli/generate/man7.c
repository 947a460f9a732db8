/*
 * man7.c - freshet-algorithms(7) out of the registry
 *
 * What theory expects is asked of the library, too, so that the page says
 * what this very version would do.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "algorithm_text.h"
#include "completions.h"

static const char opening[] =
    ".\\\" Written by freshet --generate man7: change lib/algo/, not this.\n"
    ".Dd November 15, 2026\n"
    ".Dt FRESHET-ALGORITHMS 7\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm freshet-algorithms\n"
    ".Nd the filters that freshet can use\n"
    ".Sh DESCRIPTION\n"
    "Every filter answers whether a key was offered before, in memory that\n"
    "does not grow.\n"
    "It can be wrong in two ways: a\n"
    ".Em false drop\n"
    "is a new key called seen, a\n"
    ".Em false pass\n"
    "is a key called new that was offered before.\n"
    "Which algorithm serves best depends on the stream;\n"
    "when none is named the planner chooses, and\n"
    ".Ql freshet plan\n"
    "shows what each would achieve.\n"
    ".Pp\n"
    "All keep to these rules, whatever the algorithm:\n"
    ".Bl -bullet\n"
    ".It\n"
    "it never takes more memory than it was given, and the memory it takes is\n"
    "taken when the filter is made;\n"
    ".It\n"
    "the same seed and the same stream give the same verdicts, however keys\n"
    "are batched, on every machine, and across saving and loading;\n"
    ".It\n"
    "what was saved keeps its meaning in every later version.\n"
    ".El\n"
    ".Pp\n"
    "What else one can do is said by these words:\n"
    ".Bl -tag -width promise\n";

static const char algorithms[] =
    ".El\n"
    ".Sh ALGORITHMS\n"
    "Each is followed by where it was published, by what its theory expects\n"
    "of 1 MiB when 1e-6 false drops are asked for and the stream is endless,\n"
    "and by its parameters with their range and default, for\n"
    ".Fl Fl param .\n"
    "It is said to remember a gap if a repeat after that many new keys is\n"
    "passed less often than once in a thousand.\n";

static const char closing[] = ".Sh SEE ALSO\n"
                              ".Xr freshet 1 ,\n"
                              ".Xr freshet 3 ,\n"
                              ".Xr freshet 5\n";

static void put_abilities(const freshet_algorithm *a)
{
    const char *before = "Can also: ";

    for (const struct ability *b = abilities; b->bit; b++)
        if (a->can & b->bit) {
            printf("%s%s", before, b->word);
            before = ", ";
        }
    if (a->can)
        puts(".");
}

/* False passes of a filter that is far too small for a finite stream: only
   what never forgets has none. */
static bool never_forgets(const freshet_options *o)
{
    freshet_workload w = {.size = sizeof w, .distinct = 10000000};
    freshet_rates r = {.size = sizeof r};

    return freshet_expect_options(&r, o, &w, NULL) == FRESHET_OK &&
           r.false_pass == 0;
}

/* What the filter does when records never end. */
static void put_expected(const freshet_algorithm *a)
{
    freshet_options o = {.size = sizeof o,
                         .algorithm = a->name,
                         .memory = 1 << 20,
                         .false_drop_rate = 1e-6};
    freshet_workload w = {.size = sizeof w};
    freshet_rates r = {.size = sizeof r};

    if (freshet_expect_options(&r, &o, &w, NULL) < 0)
        return;
    puts(".Pp");
    if (never_forgets(&o))
        puts("No false passes: it never forgets.");
    if (r.false_drop > 0.999)
        puts("On an endless stream it fills up, until every key is called "
             "seen:\nuse it where the number of distinct keys is known.");
    else if (!isnan(r.false_drop))
        printf("False drops: %.2g of new keys.\n", r.false_drop);
    if (isfinite(r.reach))
        printf("Remembers: the last %.3g new keys.\n", r.reach);
    if (r.theory) {
        fputs("Theory: ", stdout);
        put_text(r.theory);
        puts(".");
    }
}

static void put_parameter(const freshet_parameter *p)
{
    char range[ALGORITHM_RANGE], fallback[ALGORITHM_VALUE];

    printf(".It Cm %s Pq %s ; default %s\n", p->name, algorithm_range(range, p),
           algorithm_value(fallback, p, p->fallback));
    put_text(p->help);
    puts(".");
}

static void put_algorithm(const freshet_algorithm *a)
{
    const freshet_parameter *p;

    printf(".Ss %s \\(em %s\n", a->name, a->title);
    put_text(a->paper);
    puts(".");
    put_abilities(a);
    put_expected(a);
    if (freshet_parameter_at(a, 0))
        puts(".Bl -tag -width Ds");
    for (size_t i = 0; (p = freshet_parameter_at(a, i)); i++)
        put_parameter(p);
    if (freshet_parameter_at(a, 0))
        puts(".El");
}

void generate_man7(void)
{
    const freshet_algorithm *a;

    fputs(opening, stdout);
    for (const struct ability *b = abilities; b->bit; b++)
        printf(".It Cm %s\n%s\n", b->word, b->help);
    fputs(algorithms, stdout);
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        put_algorithm(a);
    fputs(closing, stdout);
}
