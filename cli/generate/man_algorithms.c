/*
 * man_algorithms.c - the tables of freshet-algorithms(7), from the registry
 *
 * Expected rates come from the library too, so that the page describes this
 * version.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "algorithm_text.h"
#include "forgetting.h"
#include "generate.h"

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

/* Only a filter that never forgets has no false passes when it is far too small
   for a finite stream. */
static bool never_forgets(const freshet_options *o)
{
    freshet_workload w = {.size = sizeof w, .distinct = 10000000};
    freshet_rates r = {.size = sizeof r};

    return freshet_expect_options(&r, o, &w, NULL) == FRESHET_OK &&
           r.false_pass == 0;
}

/* Prints what the filter does on an endless stream. */
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
    if (forgets_gradually(&o, r.reach))
        printf("Forgets gradually: finds 99 %% of keys %.3g new keys back, "
               "90 %% %.3g back,\n50 %% %.3g back.\n",
               found_until(&o, 0.99), found_until(&o, 0.9),
               found_until(&o, 0.5));
    else if (isfinite(r.reach))
        printf("Remembers: the last %.3g new keys.\n", r.reach);
    if (r.theory) {
        fputs("Theory: ", stdout);
        man_text(r.theory);
        puts(".");
    }
}

static void put_parameter(const freshet_parameter *p)
{
    char range[ALGORITHM_RANGE], fallback[ALGORITHM_VALUE];

    printf(".It Cm %s Pq %s ; default %s\n", p->name, algorithm_range(range, p),
           algorithm_value(fallback, p, p->fallback));
    man_text(p->help);
    puts(".");
}

static void put_algorithm(const freshet_algorithm *a)
{
    const freshet_parameter *p;

    printf(".Ss %s \\(em %s\n", a->name, a->title);
    man_text(a->paper);
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

void man_abilities(void)
{
    for (const struct ability *b = abilities; b->bit; b++)
        printf(".It Cm %s\n%s\n", b->word, b->help);
}

void man_algorithms(void)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        put_algorithm(a);
}
