/*
 * accuracy.c - how right is the default filter?
 *
 *     accuracy [--csv] [--quick] [PUBLISHED.csv]
 *
 * Prints two tables: the pocket filter on an endless stream, and, given the
 * published figures, the planner's choice on the published streams.  Rows with
 * a target are judged; one that misses makes the exit status 1.  Seeds are
 * fixed: the same build prints the same figures.  bench/run.sh keeps them.
 */
#include "accuracy.h"

#include <stdio.h>
#include <string.h>

#include "stream.h"

int main(int argc, char **argv)
{
    struct accuracy a = {0};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--csv") == 0)
            a.csv = true;
        else if (strcmp(argv[i], "--quick") == 0)
            a.quick = true;
        else if (argv[i][0] != '-' && !a.published)
            a.published = argv[i];
        else
            die("usage: accuracy [--csv] [--quick] [PUBLISHED.csv]");
    }
    print_head(a.csv ? "# " : "", argc, argv);
    accuracy_pocket(&a);
    if (a.published)
        accuracy_published(&a);
    if (a.quick)
        puts(a.csv ? "# too small to be judged" : "\ntoo small to be judged");
    else
        printf("%s%u of %u targets met\n", a.csv ? "# " : "\n", a.met,
               a.judged);
    if (fflush(stdout) || ferror(stdout))
        die("cannot write");
    return a.met == a.judged ? 0 : 1;
}
