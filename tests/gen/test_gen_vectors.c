/*
 * test_gen_vectors.c - streams are what they were, on every machine
 *
 * tests/gen/vectors.txt holds for each stream a digest of its first records as
 * text.  UPDATE=1 in the environment writes the file again.
 */
#include "gen_streams.h"

#define VECTORS SOURCE_DIR "/tests/gen/vectors.txt"

enum { RECORDS = 100000, LINES = 64 };

static uint64_t digest(const char *spec)
{
    struct gen *g = open_gen(spec);
    uint64_t sum = 0, key[512];
    char text[GEN_TEXT];
    size_t n, done = 0;

    while (done < RECORDS && (n = gen_next(g, key, NULL, 512)) > 0) {
        for (size_t i = 0; i < n; i++) {
            size_t len = gen_text(g, text, key[i]);

            for (size_t k = 0; k < len; k++)
                sum = (sum ^ (uint8_t)text[k]) * UINT64_C(0x100000001b3);
        }
        done += n;
    }
    gen_free(g);
    return sum;
}

static void streams_are_what_they_were(void **state)
{
    char line[LINES][200], spec[160];
    FILE *file = fopen(VECTORS, "r");
    int lines = 0, compared = 0;

    (void)state;
    assert_non_null(file);
    while (lines < LINES && fgets(line[lines], sizeof line[0], file))
        lines++;
    fclose(file);
    if (getenv("UPDATE"))
        assert_non_null(file = fopen(VECTORS, "w"));
    for (int i = 0; i < lines; i++) {
        unsigned long long wanted = 0, seen;

        if (line[i][0] == '#') {
            if (getenv("UPDATE"))
                fputs(line[i], file);
            continue;
        }
        assert_true(sscanf(line[i], "%159s %llx", spec, &wanted) >= 1);
        seen = digest(spec);
        if (getenv("UPDATE"))
            fprintf(file, "%s %016llx\n", spec, seen);
        else if (seen != wanted)
            fail_msg("%s is %016llx, not %016llx", spec, seen, wanted);
        compared++;
    }
    if (getenv("UPDATE"))
        fclose(file);
    assert_true(compared >= 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_what_they_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
