/*
 * fuzz_gen.c - the specification of a stream is refused with a reason, or can
 * be read
 *
 * The input is a specification, up to a zero byte.
 */
#include "fuzz.h"
#include "gen.h"
#include "truth.h"

enum { BATCH = 64 };

static void check_record(const struct gen *g, uint64_t key, uint8_t repeat)
{
    uint64_t universe = gen_universe(g);
    char *text = malloc(GEN_TEXT);
    size_t len;

    MUST(text && repeat <= 1);
    MUST(universe == 0 || key < universe);
    len = gen_text(g, text, key);
    MUST(len > 0 && len <= GEN_TEXT && text[len - 1] == '\n');
    free(text);
}

static void read_some(struct gen *g, size_t n)
{
    uint64_t key[BATCH], records = gen_records(g), all = 0;
    uint8_t repeat[BATCH];
    struct truth t;
    size_t got = 1;

    if (truth_memory(g) > 1 << 20 || truth_open(&t, g, NULL) < 0)
        return;
    for (int batch = 0; batch < 3 && got; batch++) {
        got = truth_next(&t, key, repeat, n);
        MUST(got == n || (records && all + got == records));
        all += got;
        MUST(batch || !got || repeat[0] == 0);
        for (size_t i = 0; i < got; i++)
            check_record(g, key[i], repeat[i]);
    }
    truth_close(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *spec = malloc(size + 1);
    struct fault why = {""};
    struct gen *g;

    MUST(spec);
    if (size)
        memcpy(spec, data, size);
    spec[size] = '\0';
    if (gen_open(&g, spec, &why) < 0) {
        MUST(why.text[0] && memchr(why.text, '\0', sizeof why.text));
        for (const char *c = why.text; *c; c++)
            MUST(*c >= ' ' && *c <= '~');
    } else {
        /* Crafting a key may take millions of hashes. */
        read_some(g, strncmp(spec, "attack", 6) == 0 ? 1 : BATCH);
        gen_free(g);
    }
    free(spec);
    return 0;
}
