/*
 * internal_pocket.c - the pocket filter's parts, and its code paths
 *
 * Lines and age words are compared with arrays that do the same the obvious
 * way; the whole filter with a model built of such arrays; and each SIMD path
 * with the portable one, byte for byte.
 */
#include <sys/mman.h>

#include "harness.h"

#include "pocket/pocket.h"
#include "pocket/pocket_age.h"

static struct pocket *state_of(freshet *f)
{
    size_t bytes;

    return (struct pocket *)((uintptr_t)freshet_block(f, &bytes) + 256);
}

/* ---- Lines ------------------------------------------------------------ */

static const unsigned widths[] = {8,  9,  10, 11, 12, 13, 14, 16, 19, 20,
                                  24, 25, 26, 27, 32, 33, 40, 48, 56, 64};
enum { WIDTHS = sizeof widths / sizeof *widths };

static void assert_line(const uint64_t *line, const uint64_t *model,
                        unsigned width, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++)
        assert_int_equal(fr_line_get(line, i, width), model[i]);
    assert_int_equal(line[7] >> 48, 0xabcd); /* what is above is let alone */
}

static void a_line_is_a_stack_of_slots(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (size_t w = 0; w < WIDTHS; w++) {
        unsigned width = widths[w], slots = FR_PLAIN_STACK / width;
        uint64_t line[8] = {[7] = UINT64_C(0xabcd) << 48}, model[64] = {0};

        for (int step = 0; step < 2000; step++) {
            unsigned q = (unsigned)(roll(&random) % slots);
            uint64_t print = fr_print(roll(&random), width);

            if (step % 5 == 0) {
                fr_line_remove(line, q, width, slots);
                memmove(model + q, model + q + 1, (slots - 1 - q) * 8);
                model[slots - 1] = 0;
            } else {
                fr_line_rotate_plain(line, print, (q + 1) * width, width);
                memmove(model + 1, model, q * 8);
                model[0] = print;
                assert_true(fr_line_find_plain(line, print, width, slots) & 1);
            }
            assert_line(line, model, width, slots);
        }
    }
}

static void narrowing_keeps_the_low_bits_in_order(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (size_t from = 1; from < WIDTHS; from++)
        for (size_t to = 0; to < from; to++) {
            unsigned slots = FR_PLAIN_STACK / widths[from];
            unsigned room = FR_PLAIN_STACK / widths[to];
            uint64_t line[8] = {[7] = UINT64_C(0xabcd) << 48}, model[64] = {0};
            uint64_t front = fr_print(roll(&random), widths[to]);

            if (room == slots)
                continue;
            model[0] = front;
            for (unsigned i = 0; i < slots; i++) {
                uint64_t print = roll(&random);

                fr_line_put(line, i, widths[from],
                            fr_print(print, widths[from]));
                model[i + 1] = fr_print(print, widths[to]);
            }
            fr_line_narrow(line, front, slots, widths[from], widths[to],
                           FR_PLAIN_STACK);
            assert_line(line, model, widths[to], room);
            assert_int_equal(line[7] >> 48, 0xabcd);
        }
}

/* ---- Age words -------------------------------------------------------- */

/* Slots by their generation, newest first; expired ones leave at the end. */
struct ages {
    uint64_t born[64];
    unsigned n;
};

static void expire(struct ages *a, uint64_t now)
{
    while (a->n && now - a->born[a->n - 1] > FR_POCKET_SPAN)
        a->n--;
}

static void an_age_word_knows_what_is_alive(void **state)
{
    uint64_t random = 3, now = 0, word = 0;
    struct ages model = {.n = 0};

    (void)state;
    for (int step = 0; step < 200000; step++) {
        uint64_t what = roll(&random) % 100;
        struct fr_age age;

        if (what < 20)
            now += what < 2 ? roll(&random) % 60000 : 1;
        age = fr_age_read(word, now);
        expire(&model, now);
        assert_int_equal(age.alive, model.n);
        if (what >= 20 && what < 30 && model.n) {
            unsigned q = (unsigned)(roll(&random) % model.n);

            fr_age_remove(&age, q);
            memmove(model.born + q, model.born + q + 1,
                    (--model.n - q) * sizeof *model.born);
        } else if (what >= 30 && what < 60 && model.n) {
            unsigned q = (unsigned)(roll(&random) % model.n);

            fr_age_front(&age, UINT64_C(1) << q);
            memmove(model.born + 1, model.born, q * sizeof *model.born);
            model.born[0] = now;
        } else if (what >= 60 && model.n < FR_AGE_SLOTS) {
            fr_age_front(&age, 0);
            memmove(model.born + 1, model.born, model.n * sizeof *model.born);
            model.born[0] = now;
            model.n++;
        }
        expire(&model, now);
        word = fr_age_write(&age, now);
    }
}

static void a_line_of_zeroes_is_empty_at_any_time(void **state)
{
    (void)state;
    for (uint64_t now = 0; now < 70000; now++)
        assert_int_equal(fr_age_read(0, now).alive, 0);
}

/* ---- The whole filter against a model --------------------------------- */

/* The age string as characters: '0' a slot, '1' the end of a generation. */
struct model_line {
    uint64_t lo[64], generation;
    char age[FR_AGE_BITS + 2];
    unsigned pushes, level;
};

struct model {
    const struct pocket *p;
    struct model_line *line;
    uint64_t records;
};

static void age_shift_in(struct model_line *l, char what)
{
    memmove(l->age + 1, l->age, FR_AGE_BITS);
    l->age[0] = what;
    l->age[FR_AGE_BITS] = '\0';
}

/* Counts the slots younger than a number of generations, by the string. */
static unsigned younger(const struct model_line *l, int generations)
{
    unsigned slots = 0;

    for (const char *c = l->age; *c && generations > 0; c++) {
        slots += *c == '0';
        generations -= *c == '1';
    }
    return slots;
}

static unsigned live(const struct model *m, const struct model_line *l)
{
    unsigned slots = m->p->slots[l->level];
    unsigned n = m->p->length ? younger(l, FR_AGE_DEAD) : l->pushes;

    return n < slots ? n : slots;
}

static void model_age(struct model_line *l, uint64_t now)
{
    for (; l->generation < now; l->generation++)
        age_shift_in(l, '1');
}

static int model_find(const struct model *m, const struct model_line *l,
                      uint64_t lo)
{
    unsigned width = m->p->width[l->level];

    for (unsigned i = 0; i < live(m, l); i++)
        if (fr_print(l->lo[i], width) == fr_print(lo, width))
            return (int)i;
    return -1;
}

static void model_front(const struct model *m, struct model_line *l, unsigned q)
{
    uint64_t lo = l->lo[q];
    char *at = l->age;

    memmove(l->lo + 1, l->lo, q * sizeof lo);
    l->lo[0] = lo;
    if (!m->p->length)
        return;
    for (unsigned zeros = 0; zeros + (*at == '0') <= q; at++)
        zeros += *at == '0';
    memmove(l->age + 1, l->age, (size_t)(at - l->age));
    l->age[0] = '0';
}

static void model_push(const struct model *m, struct model_line *l, uint64_t lo)
{
    unsigned n = live(m, l);

    if (m->p->length && n == 0)
        l->level = 0;
    else if (n == m->p->slots[l->level] && l->level + 1 < m->p->levels)
        l->level++;
    memmove(l->lo + 1, l->lo, sizeof l->lo - sizeof lo);
    l->lo[0] = lo;
    l->pushes++;
    age_shift_in(l, '0');
}

/* Is b less loaded?  By pushes, or by age: the oldest difference decides. */
static int model_lighter(const struct model *m, const struct model_line *a,
                         const struct model_line *b)
{
    if (!m->p->length)
        return b->pushes < a->pushes;
    for (int age = FR_AGE_DEAD; age > 0; age--)
        if (younger(a, age) != younger(b, age))
            return younger(b, age) < younger(a, age);
    return 0;
}

static int model_offer(struct model *m, freshet_hash key)
{
    struct fr_pair pair =
        fr_pair_at(fr_place_of(m->p, m->p->choices), key, m->p->choices);
    struct model_line *l[2];

    for (unsigned i = 0; i < 2; i++) {
        l[i] = m->line + (pair.line[i] - fr_line(m->p, 0)) / 8;
        if (m->p->length)
            model_age(l[i], m->records * FR_POCKET_SPAN / m->p->length);
    }
    m->records++;
    for (unsigned i = 0; i < m->p->choices; i++) {
        int q = model_find(m, l[i], key.lo);

        if (q < 0)
            continue;
        if (m->p->refresh) {
            model_front(m, l[i], (unsigned)q);
            l[i]->lo[0] = key.lo; /* stored anew, from this key's hash */
        }
        return FRESHET_SEEN;
    }
    model_push(m, l[m->p->choices == 2 && model_lighter(m, l[0], l[1])],
               key.lo);
    return FRESHET_NEW;
}

static void compare_with_model(unsigned width, unsigned choices,
                               unsigned refresh, uint64_t window)
{
    char params[64];
    freshet *f;
    struct model m;
    uint64_t random = width;

    snprintf(params, sizeof params, "width=%u,choices=%u,refresh=%u", width,
             choices, refresh);
    f = make_filter(.algorithm = "pocket", .memory = 10000, .seed = 9,
                    .params = params, .window = window);
    m = (struct model){.p = state_of(f)};
    m.line = calloc(m.p->lines, sizeof *m.line);
    assert_non_null(m.line);
    for (uint64_t i = 0; i < m.p->lines; i++)
        for (int j = 0; j < FR_AGE_BITS; j++)
            age_shift_in(&m.line[i], j < FR_AGE_BITS - FR_AGE_DEAD ? '0' : '1');
    for (uint64_t i = 0; i < 30000; i++) {
        freshet_hash key =
            hash_of(f, roll(&random) % 3 ? i : i - roll(&random) % (i + 1));
        uint8_t seen;

        freshet_offer_batch(f, &key, 1, &seen);
        assert_int_equal(seen, model_offer(&m, key));
    }
    free(m.line);
    freshet_free(f);
}

static void it_does_what_the_model_does(void **state)
{
    (void)state;
    for (size_t w = 0; w < WIDTHS; w += 3)
        for (unsigned choices = 1; choices <= 2; choices++)
            for (unsigned refresh = 0; refresh <= 1; refresh++) {
                compare_with_model(widths[w], choices, refresh, 0);
                compare_with_model(widths[w], choices, refresh, 1000);
                compare_with_model(widths[w], choices, refresh, 5000);
            }
}

/* ---- Code paths ------------------------------------------------------- */

enum { RECORDS = 6000, MANY = 20000 };

static void run_path(const struct fr_pocket_path *path, freshet *f,
                     const freshet_hash *keys, size_t records, uint8_t *seen,
                     uint8_t *asked)
{
    uint64_t random = 4;

    for (size_t i = 0, n; i < records; i += n) {
        n = roll(&random) % 200; /* several stretches of pocket_filling.h */
        n = n < records - i ? n : records - i;
        path->query(state_of(f), &state_of(f)->live, keys + i, n, asked + i);
        fr_pocket_offer(path, state_of(f), keys + i, n, seen + i);
        freshet_tick(f, i);
    }
}

/* Returns one of eight values in the low 22 bits of the fingerprint, one of
   which is zero, and any bits above them. */
static freshet_hash nearly_alike(freshet_hash key)
{
    return (freshet_hash){key.lo << 22 | key.lo >> 61, key.hi};
}

/* Offers keys to filters that make() makes, by the portable path and by each
   path of this machine. */
static void compare_paths_on(freshet *(*make)(const freshet_options *),
                             const freshet_options *options,
                             const freshet_hash *keys, size_t records)
{
    const struct fr_pocket_path *const *paths = fr_pocket_paths();
    static uint8_t seen[2][MANY], asked[2][MANY];
    freshet *plain = make(options);

    run_path(&fr_pocket_portable, plain, keys, records, seen[0], asked[0]);
    for (size_t i = 0; paths[i]; i++) {
        freshet *f = make(options);

        run_path(paths[i], f, keys, records, seen[1], asked[1]);
        assert_memory_equal(seen[0], seen[1], records);
        assert_memory_equal(asked[0], asked[1], records);
        assert_same_state(plain, f);
        freshet_free(f);
    }
    freshet_free(plain);
}

static void compare_paths(const freshet_options *options, size_t records,
                          bool alike)
{
    static freshet_hash keys[MANY];
    freshet *f = make_filter_(options);
    uint64_t random = 6;

    for (uint64_t i = 0; i < records; i++)
        keys[i] = hash_of(f, i % 3 ? i : i - roll(&random) % (i + 1));
    for (uint64_t i = 0; i < records && alike; i++)
        keys[i] = nearly_alike(keys[i]);
    freshet_free(f);
    compare_paths_on(make_filter_, options, keys, records);
}

/* A small filter has few lines, so that keys of a batch share them; in the
   larger one most keys of a group have lines of their own.  Keys that are
   nearly alike are found in slots of others by a search that compares some
   bits. */
static void compare_paths_at(unsigned width, unsigned choices, unsigned refresh)
{
    char params[64];

    snprintf(params, sizeof params, "width=%u,choices=%u,refresh=%u", width,
             choices, refresh);
    for (unsigned window = 0; window < 3; window++)
        compare_paths(OPTIONS(.algorithm = "pocket", .memory = 4096, .seed = 9,
                              .params = params, .window = window == 1 ? 700 : 0,
                              .within = window == 2 ? 700 : 0),
                      RECORDS, false);
    for (unsigned alike = 0; alike < 2; alike++)
        compare_paths(OPTIONS(.algorithm = "pocket", .memory = 1 << 15,
                              .seed = 9, .params = params),
                      MANY, alike);
}

static void all_paths_leave_the_same_bytes(void **state)
{
    (void)state;
    for (size_t w = 0; w < WIDTHS; w++)
        for (unsigned choices = 1; choices <= 2; choices++)
            for (unsigned refresh = 0; refresh <= 1; refresh++)
                compare_paths_at(widths[w], choices, refresh);
}

/* Keys that come again while the lines of the first time are still in flight,
   and keys of one line only. */
static void keys_that_share_lines_are_decided_in_order(void **state)
{
    const struct fr_pocket_path *const *paths = fr_pocket_paths();
    static freshet_hash keys[RECORDS];
    static uint8_t seen[2][RECORDS];
    uint64_t random = 8;

    (void)state;
    for (uint64_t near = 1; near < 64; near = near * 2 + 1) {
        freshet *plain =
            make_filter(.algorithm = "pocket", .memory = 1 << 20, .seed = 9);

        for (uint64_t i = 0; i < RECORDS; i++)
            keys[i] = hash_of(plain, i - roll(&random) % (near + 1) % (i + 1));
        fr_pocket_offer(&fr_pocket_portable, state_of(plain), keys, RECORDS,
                        seen[0]);
        for (size_t i = 0; paths[i]; i++) {
            freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 20,
                                     .seed = 9);

            fr_pocket_offer(paths[i], state_of(f), keys, RECORDS, seen[1]);
            assert_memory_equal(seen[0], seen[1], RECORDS);
            assert_same_state(plain, f);
            freshet_free(f);
        }
        freshet_free(plain);
    }
}

/* Fills all lines with slots that hold few different numbers, some of them
   none, and gives them numbers of pushes at which their widths differ, or
   any. */
static void any_lines(freshet *f, uint64_t *random)
{
    struct pocket *s = state_of(f);

    for (uint64_t i = 0; i < s->lines; i++) {
        uint64_t *line = fr_line(s, i), least = roll(random) % 2;
        uint64_t pushes = roll(random) % (roll(random) % 8 ? 40 : 0x10000);
        unsigned level = fr_line_level(s, (unsigned)pushes);

        for (unsigned slot = 0; slot < s->slots[level]; slot++)
            fr_line_put(line, slot, s->width[level], least + roll(random) % 3);
        line[7] = (line[7] & ~(UINT64_C(0xffff) << 48)) | pushes << 48;
    }
}

/* Returns a key whose low bits, any number of them, are 0, 1 or 2. */
static freshet_hash key_of_few_bits(uint64_t *random)
{
    uint64_t lo = roll(random) << roll(random) % 64;

    return (freshet_hash){lo | roll(random) % 3, roll(random)};
}

static freshet *filter_of_any_lines(const freshet_options *options)
{
    freshet *f = make_filter_(options);
    uint64_t random = 12;

    any_lines(f, &random);
    return f;
}

static void compare_any_lines(const char *params)
{
    static freshet_hash keys[RECORDS];
    uint64_t random = 10;

    for (uint64_t i = 0; i < RECORDS; i++)
        keys[i] = key_of_few_bits(&random);
    compare_paths_on(filter_of_any_lines,
                     OPTIONS(.algorithm = "pocket", .memory = 1 << 18,
                             .seed = 9, .params = params),
                     keys, RECORDS);
}

static void lines_of_any_widths_are_decided_alike(void **state)
{
    (void)state;
    for (unsigned width = 8; width <= 57; width++)
        for (unsigned choices = 1; choices <= 2; choices++)
            for (unsigned refresh = 0; refresh <= 1; refresh++) {
                char params[64];

                snprintf(params, sizeof params,
                         "width=%u,choices=%u,refresh=%u",
                         width < 57 ? width : 64, choices, refresh);
                compare_any_lines(params);
            }
}

/* Address space costs nothing: only pages that are touched exist. */
static freshet *far_filter(char **block, size_t bytes)
{
    freshet_options o = {.size = sizeof o,
                         .algorithm = "pocket",
                         .seed = 9,
                         .params = "choices=1",
                         .memory = bytes};
    freshet *f;

    *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (*block == MAP_FAILED)
        skip();
    madvise(*block, bytes, MADV_NOHUGEPAGE);
    assert_int_equal(freshet_create_at(&f, *block, bytes, &o, NULL),
                     FRESHET_OK);
    return f;
}

/* Returns the key with the same fingerprint and the largest hash of a line. */
static freshet_hash last_of_line(struct fr_place at, freshet_hash key)
{
    fr_u128 next = (fr_u128)(fr_reduce(key.hi, at.groups) + 1) << 64;

    return (freshet_hash){key.lo, (uint64_t)(next / at.groups) - 1};
}

enum { FAR = 1600 };

static void lines_beyond_2_to_the_32_are_used_by_all_paths(void **state)
{
    const struct fr_pocket_path *const *paths = fr_pocket_paths();
    size_t bytes = (size_t)400 << 30;
    static freshet_hash keys[FAR];
    static uint8_t seen[FAR];

    (void)state;
    for (size_t i = 0; paths[i]; i++) {
        char *block;
        freshet *f = far_filter(&block, bytes);
        struct fr_place at = fr_place_of(state_of(f), 1);

        assert_true(at.groups > UINT32_MAX);
        for (uint64_t k = 0; k < FAR; k++)
            keys[k] = hash_of(f, k);
        for (uint64_t k = 0; k < FAR; k += 16) /* one of each group */
            keys[k + 1] = last_of_line(at, keys[k]);
        assert_int_equal(fr_pocket_offer(paths[i], state_of(f), keys, FAR,
                                         seen),
                         FAR - FAR / 16);
        for (uint64_t k = 0; k < FAR; k++)
            assert_int_equal(fr_line_pushes(fr_pair_at(at, keys[k], 1).line[0]),
                             1);
        freshet_free(f);
        munmap(block, bytes);
    }
}

static void every_path_of_this_machine_is_there(void **state)
{
    const struct fr_pocket_path *const *paths = fr_pocket_paths();
    size_t n = 0;

    (void)state;
    for (; paths[n]; n++)
        print_message("path: %s\n", paths[n]->name);
    assert_ptr_equal(paths[n - 1], &fr_pocket_portable);
#if defined(__x86_64__) || defined(__aarch64__)
    assert_true(n >= 2);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_stack_of_slots),
        cmocka_unit_test(narrowing_keeps_the_low_bits_in_order),
        cmocka_unit_test(an_age_word_knows_what_is_alive),
        cmocka_unit_test(a_line_of_zeroes_is_empty_at_any_time),
        cmocka_unit_test(it_does_what_the_model_does),
        cmocka_unit_test(all_paths_leave_the_same_bytes),
        cmocka_unit_test(keys_that_share_lines_are_decided_in_order),
        cmocka_unit_test(lines_of_any_widths_are_decided_alike),
        cmocka_unit_test(lines_beyond_2_to_the_32_are_used_by_all_paths),
        cmocka_unit_test(every_path_of_this_machine_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
