/*
 * test_vectors.c - the same verdicts on every machine, in every release
 *
 * tests/vectors/verdicts.txt has a line per algorithm: name, parameters, seed,
 * memory, and the digest of the verdicts on a fixed stream.
 * tests/snapshots/v1/ has filters saved by releases, and in digests.txt what
 * they answer when the stream goes on; what follows a hyphen in a name tells
 * filters of one algorithm apart.  With UPDATE=1 in the environment both
 * are written: digests of known lines anew, lines and snapshots for algorithms
 * that have none.  A snapshot that is there is never written again.
 */
#include "harness.h"

#define VECTORS   SOURCE_DIR "/tests/vectors/verdicts.txt"
#define SNAPSHOTS SOURCE_DIR "/tests/snapshots/v1/"

enum { RECORDS = 100000, BATCH = 256, LINES = 200 };

struct vector {
    char name[32], params[256];
    unsigned long long seed, memory, digest;
};

static struct vector vectors[LINES], snapshots[LINES];

static int updating(void)
{
    return getenv("UPDATE") != NULL;
}

/* Half new keys, half repeats, near ones more often than far ones. */
static uint64_t record_at(uint64_t i)
{
    uint64_t random = i, fresh = i / 2;

    if (i % 2 == 0 || fresh == 0)
        return fresh;
    roll(&random);
    return fresh - 1 - roll(&random) % (1 + (fresh - 1) / (1 + i % 97));
}

/* FNV-1a, 64 bits, of the verdicts on records from..to-1. */
static unsigned long long digest(freshet *f, uint64_t from, uint64_t to)
{
    unsigned long long hash = 0xcbf29ce484222325;

    for (uint64_t i = from; i < to; i += BATCH) {
        size_t n = to - i < BATCH ? to - i : BATCH;
        freshet_hash keys[BATCH];
        uint8_t seen[BATCH];

        for (size_t j = 0; j < n; j++)
            keys[j] = hash_of(f, record_at(i + j));
        freshet_offer_batch(f, keys, n, seen);
        for (size_t j = 0; j < n; j++)
            hash = (hash ^ seen[j]) * 0x100000001b3;
    }
    return hash;
}

/* ---- The files -------------------------------------------------------- */

static FILE *open_or_fail(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

/* Lines of five words; those that begin with # are for people. */
static void read_vectors(struct vector *to, const char *path)
{
    FILE *file = open_or_fail(path, "r");
    char line[512];
    size_t n = 0;

    while (fgets(line, sizeof line, file)) {
        struct vector *v = &to[n];

        if (line[0] == '#')
            continue;
        assert_true(++n < LINES);
        if (sscanf(line, "%31s %255s %llu %llu %llx", v->name, v->params,
                   &v->seed, &v->memory, &v->digest) != 5)
            fail_msg("%s: not understood: %s", path, line);
    }
    fclose(file);
}

static void write_vectors(const struct vector *from, const char *path,
                          const char *about)
{
    FILE *file = open_or_fail(path, "w");

    fprintf(file, "# %s\n# name parameters seed memory digest\n", about);
    for (; from->name[0]; from++)
        fprintf(file, "%s %s %llu %llu %016llx\n", from->name, from->params,
                from->seed, from->memory, from->digest);
    assert_int_equal(fclose(file), 0);
}

static struct vector *find(struct vector *v, const char *name)
{
    while (v->name[0] && strcmp(v->name, name) != 0)
        v++;
    return v;
}

/* A line for an algorithm that has none, as its defaults come out here. */
static struct vector *add(struct vector *v, const char *name,
                          unsigned long long memory)
{
    freshet_planned planned = {.size = sizeof planned};

    assert_int_equal(freshet_plan(&planned,
                                  OPTIONS(.algorithm = name, .memory = memory,
                                          .false_drop_rate = 0.01),
                                  NULL),
                     FRESHET_OK);
    snprintf(v->name, sizeof v->name, "%s", name);
    snprintf(v->params, sizeof v->params, "%s",
             planned.params[0] ? planned.params : "-");
    v->seed = 7;
    v->memory = memory;
    return v;
}

static freshet *filter_of(const struct vector *v)
{
    return make_filter(.algorithm = v->name, .memory = v->memory,
                       .seed = v->seed, .false_drop_rate = 0.01,
                       .params = strcmp(v->params, "-") ? v->params : "");
}

/* ---- Vectors ---------------------------------------------------------- */

static void verdicts_are_as_written_down(void **state)
{
    (void)state;
    for (struct vector *v = vectors; v->name[0]; v++) {
        freshet *f = filter_of(v);
        unsigned long long now = digest(f, 0, RECORDS);

        if (updating())
            v->digest = now;
        if (now != v->digest)
            fail_msg("%s: the verdicts have changed: %016llx, not %016llx",
                     v->name, now, v->digest);
        freshet_free(f);
    }
}

static void every_algorithm_has_its_verdicts(void **state)
{
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        struct vector *v = find(vectors, a->name);

        if (v->name[0])
            continue;
        if (!updating())
            fail_msg("%s has no line in verdicts.txt: make update-vectors",
                     a->name);
        add(v, a->name, 16384);
    }
}

/* ---- Snapshots -------------------------------------------------------- */

static const char *path_of(const struct vector *v)
{
    static char path[1024];

    snprintf(path, sizeof path, SNAPSHOTS "%.31s.block", v->name);
    return path;
}

static void write_snapshot(struct vector *v)
{
    freshet *f = filter_of(v);
    FILE *file = open_or_fail(path_of(v), "wbx");
    const void *block;
    size_t bytes;

    digest(f, 0, RECORDS);
    block = freshet_block(f, &bytes);
    assert_int_equal(fwrite(block, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    v->digest = digest(f, RECORDS, 2 * RECORDS);
    freshet_free(f);
}

static void write_missing_snapshots(void)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        struct vector *v = find(snapshots, a->name);

        if (!v->name[0])
            write_snapshot(add(v, a->name, 3072));
    }
}

/* The algorithm is the name up to a hyphen. */
static void assert_algorithm(const freshet *f, const char *name)
{
    const char *algorithm = info_of(f).algorithm;

    assert_int_equal(strlen(algorithm), strcspn(name, "-"));
    assert_memory_equal(algorithm, name, strlen(algorithm));
}

static void saved_block_filters_attach_for_ever(void **state)
{
    static _Alignas(64) char block[65536];

    (void)state;
    for (struct vector *v = snapshots; v->name[0]; v++) {
        FILE *file = open_or_fail(path_of(v), "rb");
        size_t bytes = fread(block, 1, sizeof block, file);
        freshet_error err;
        freshet *f;

        fclose(file);
        if (freshet_attach(&f, block, bytes, &err) < 0)
            fail_msg("%s: %s", path_of(v), err.message);
        assert_algorithm(f, v->name);
        assert_int_equal(info_of(f).offered, RECORDS);
        assert_int_equal(info_of(f).seed, v->seed);
        if (digest(f, RECORDS, 2 * RECORDS) != v->digest)
            fail_msg("%s: it goes on differently", path_of(v));
        freshet_free(f);
    }
}

static int read_files(void **state)
{
    (void)state;
    read_vectors(vectors, VECTORS);
    read_vectors(snapshots, SNAPSHOTS "digests.txt");
    if (updating())
        write_missing_snapshots();
    return 0;
}

static int write_files(void **state)
{
    (void)state;
    if (!updating())
        return 0;
    write_vectors(vectors, VECTORS, "Written by make update-vectors.");
    write_vectors(snapshots, SNAPSHOTS "digests.txt",
                  "Written by make update-vectors; lines are only added.");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_has_its_verdicts),
        cmocka_unit_test(verdicts_are_as_written_down),
        cmocka_unit_test(saved_block_filters_attach_for_ever),
    };

    return cmocka_run_group_tests(tests, read_files, write_files);
}
