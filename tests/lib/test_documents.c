/*
 * test_documents.c - the README's table says what the registry says
 *
 * With UPDATE=1 in the environment the table is written instead.
 */
#include "harness.h"

#define README SOURCE_DIR "/README.md"
#define BEGIN  "<!-- algorithms: written by make update-vectors -->\n"
#define END    "<!-- end of algorithms -->\n"

static char text[1 << 17], table[1 << 16];

static void read_readme(void)
{
    FILE *file = fopen(README, "r");
    size_t n;

    assert_non_null(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    assert_true(n < sizeof text - 1);
    fclose(file);
}

static const char *abilities(unsigned can)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        {FRESHET_CAN_FORGET, "forget"}, {FRESHET_CAN_MERGE, "merge"},
        {FRESHET_CAN_WINDOW, "window"}, {FRESHET_CAN_WITHIN, "within"},
        {FRESHET_CAN_SPLIT, "split"},
    };
    static char out[64];
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (can & names[i].bit)
            used += (size_t)snprintf(out + used, sizeof out - used, "%s%s",
                                     used ? ", " : "", names[i].name);
    return out;
}

static void make_table(void)
{
    const freshet_algorithm *a;
    size_t used;

    used = (size_t)snprintf(table, sizeof table,
                            "| name | what it is | from | can also |\n"
                            "|---|---|---|---|\n");
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        used += (size_t)snprintf(table + used, sizeof table - used,
                                 "| `%s` | %s | %s | %s |\n", a->name, a->title,
                                 a->paper, abilities(a->can));
        assert_true(used < sizeof table);
    }
}

static void write_readme(const char *begin, const char *end)
{
    FILE *file = fopen(README, "w");

    assert_non_null(file);
    fwrite(text, 1, (size_t)(begin - text), file);
    fputs(table, file);
    fputs(end, file);
    assert_int_equal(fclose(file), 0);
}

static void the_readme_lists_every_algorithm(void **state)
{
    const char *begin, *end;

    (void)state;
    read_readme();
    make_table();
    begin = strstr(text, BEGIN);
    end = strstr(text, END);
    assert_true(begin && end && begin < end);
    begin += strlen(BEGIN);
    if (getenv("UPDATE"))
        write_readme(begin, end);
    else if (strlen(table) != (size_t)(end - begin) ||
             memcmp(table, begin, strlen(table)) != 0)
        fail_msg("the table in README.md is stale: make update-vectors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_readme_lists_every_algorithm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
