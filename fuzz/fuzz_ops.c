/*
 * fuzz_ops.c - the input is a program for two filters that must agree
 *
 * Both are made with the same options.  One gets keys in batches, some of them
 * in parts; the other gets them one by one.  Either is sometimes saved and
 * attached again.  Verdicts and states must be equal to the last bit.
 */
#include <math.h>

#include "fuzz.h"

enum { BATCH = 100, MOST = 1200 }; /* keys of a batch, and of a program */

/* A filter, and its block once it was saved. */
struct twin {
    freshet *f;
    void *block;
};

static void save_and_attach(struct twin *t)
{
    size_t bytes;
    const void *from = freshet_block(t->f, &bytes);
    void *to = aligned_alloc(64, (bytes + 63) / 64 * 64);

    MUST(to);
    memcpy(to, from, bytes);
    freshet_free(t->f);
    free(t->block);
    t->block = to;
    MUST(freshet_attach(&t->f, to, bytes, NULL) == FRESHET_OK);
}

static void must_agree(const struct twin *a, const struct twin *b)
{
    size_t bytes, other;
    const void *at = freshet_block(a->f, &bytes);
    const void *bt = freshet_block(b->f, &other);

    MUST(bytes == other && memcmp(at, bt, bytes) == 0);
}

/* A key's lines are in the block. */
static void check_lines(const freshet *f, const freshet_hash *keys, size_t n)
{
    size_t bytes;
    const char *block = freshet_block(f, &bytes);

    for (size_t i = 0; i < n; i++) {
        const void *lines[2];

        if (freshet_lines(f, &keys[i], lines) < 0)
            return;
        for (int j = 0; j < 2; j++)
            MUST((const char *)lines[j] >= block &&
                 (const char *)lines[j] + 64 <= block + bytes);
    }
}

/* Applies one of the four operations to a batch.  Returns the result of forget,
   or 0. */
static long apply_batch(freshet *f, unsigned verb, const freshet_hash *keys,
                        size_t n, uint8_t *seen)
{
    freshet_prefetch(f, keys, n);
    check_lines(f, keys, n);
    if (verb == 0)
        freshet_offer_batch(f, keys, n, seen);
    else if (verb == 1)
        freshet_query_batch(f, keys, n, seen);
    else if (verb == 2)
        freshet_remember_batch(f, keys, n);
    else
        return freshet_forget_batch(f, keys, n);
    return 0;
}

static long apply_part(freshet_parts *p, unsigned part, unsigned verb,
                       const freshet_hash *keys, const uint32_t *at, size_t n,
                       uint8_t *seen)
{
    if (verb == 0)
        freshet_offer_part(p, part, keys, at, n, seen);
    else if (verb == 1)
        freshet_query_part(p, part, keys, NULL, n, seen);
    else if (verb == 2)
        freshet_remember_part(p, part, keys, at, n);
    else
        return freshet_forget_part(p, part, keys, NULL, n);
    return 0;
}

/* The same in parts, the last one first. */
static long apply_parts(freshet_parts *p, unsigned verb,
                        const freshet_hash *keys, size_t n, uint8_t *seen)
{
    uint32_t at[BATCH], start[FRESHET_MOST_PARTS + 1];
    freshet_hash sorted[BATCH];
    uint8_t by_part[BATCH] = {0};
    uint64_t now[BATCH] = {0};
    long forgot = 0;

    MUST(n == 0 || freshet_turn_at(p, now, n) == n);
    freshet_route(p, keys, n, sorted, at, start);
    for (unsigned q = freshet_parts_count(p); q--;) {
        long one;

        freshet_tick_part(p, q, 0, 0);
        one = apply_part(p, q, verb, sorted + start[q], at + start[q],
                         start[q + 1] - start[q], by_part + start[q]);
        forgot = one < 0 ? one : forgot + one;
    }
    for (size_t i = 0; i < n; i++)
        seen[at[i]] = by_part[i];
    freshet_join(p);
    MUST(n == 0 || freshet_part_of(p, sorted[0]) < freshet_parts_count(p));
    freshet_parts_free(p);
    return forgot;
}

/* Applies one operation to a batch of keys from a small universe. */
static void apply(struct twin *a, struct twin *b, unsigned verb, unsigned parts,
                  struct input *in)
{
    freshet_parts *p = NULL;
    freshet_hash keys[BATCH];
    uint8_t batched[BATCH] = {0}, single[BATCH] = {0};
    uint64_t n = take(in, 1) % BATCH, from = take(in, 2);
    long forgot, one;

    for (uint64_t i = 0, key; i < n; i++) {
        key = from + i * i % 97;
        keys[i] = freshet_hash_key(a->f, &key, sizeof key);
    }
    if (parts && freshet_split(&p, a->f, parts, NULL) == FRESHET_OK)
        forgot = apply_parts(p, verb, keys, n, batched);
    else
        forgot = apply_batch(a->f, verb, keys, n, batched);
    for (uint64_t i = 0; i < n; i++) {
        one = apply_batch(b->f, verb, &keys[i], 1, &single[i]);
        forgot -= one > 0 ? one : 0;
    }
    MUST(memcmp(batched, single, sizeof batched) == 0);
    MUST(forgot == 0 || forgot == FRESHET_ERR_UNSUPPORTED);
}

/* Merges a copy into both filters. */
static void merge_both(struct twin *a, struct twin *b)
{
    size_t bytes;
    const void *from = freshet_block(a->f, &bytes);
    void *copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
    freshet *third;
    int status;

    MUST(copy);
    memcpy(copy, from, bytes);
    MUST(freshet_attach(&third, copy, bytes, NULL) == FRESHET_OK);
    status = freshet_merge(a->f, third, NULL);
    MUST(status == FRESHET_OK || status == FRESHET_ERR_UNSUPPORTED);
    MUST(freshet_merge(b->f, third, NULL) == status);
    freshet_free(third);
    free(copy);
}

static void step(struct twin *a, struct twin *b, struct input *in)
{
    unsigned op = (unsigned)take(in, 1);
    uint64_t now;

    if (op % 8 < 4) {
        apply(a, b, op % 8 < 2 ? 0 : op % 8 - 1, op / 8, in);
    } else if (op % 8 == 4) {
        apply(a, b, 3, op / 8, in);
    } else if (op % 8 == 5) {
        now = take(in, 1 + op / 8 % 8);
        freshet_tick(a->f, now);
        freshet_tick(b->f, now);
    } else if (op % 8 == 6) {
        save_and_attach(op & 8 ? a : b);
    } else if (op & 8) {
        freshet_reset(a->f);
        freshet_reset(b->f);
    } else {
        merge_both(a, b);
    }
    must_agree(a, b);
}

/* Returns the largest value to try.  Each new key lowers l counters in fpsbf:
   with 65535 of them nothing else would be tried. */
static double most_of(const freshet_parameter *p)
{
    return strcmp(p->name, "l") == 0 && p->max > 512 ? 512 : p->max;
}

/* Returns the value that a byte chooses: the low end of the range more often
   than the high end, and of a long range each power of two as often. */
static double value_of(const freshet_parameter *p, uint64_t byte)
{
    double part = (double)byte / 255, range = most_of(p) - p->min, value;

    if (range > 500)
        value = p->min + expm1(part * log1p(range));
    else
        value = p->min + range * part * part * part;
    return p->whole ? floor(value) : value;
}

/* Writes "name=value" if the byte is not zero, which leaves the default. */
static int parameter(char *out, size_t room, const freshet_parameter *p,
                     uint64_t byte)
{
    const char *word = p->words;

    if (byte == 0)
        return 0;
    if (!word)
        return snprintf(out, room, "%s=%.9g,", p->name, value_of(p, byte));
    for (uint64_t i = byte % ((uint64_t)p->max + 1); i; i--)
        word += strcspn(word, "|") + 1;
    return snprintf(out, room, "%s=%.*s,", p->name, (int)strcspn(word, "|"),
                    word);
}

static void take_params(char *out, size_t room, const freshet_algorithm *a,
                        struct input *in)
{
    const freshet_parameter *p;
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; (p = freshet_parameter_at(a, i)); i++) {
        used += (size_t)parameter(out + used, room - used, p, take(in, 1));
        MUST(used < room);
    }
}

/* Reads the options of a filter from the first bytes of an input. */
static void read_options(freshet_options *o, char *params, size_t room,
                         struct input *in)
{
    const freshet_algorithm *algorithm = algorithm_of(take(in, 1));

    *o = (freshet_options){.size = sizeof *o, .algorithm = algorithm->name};
    o->memory = 1024 + take(in, 2) % 4096;
    o->seed = 1 + take(in, 1);
    o->false_drop_rate = (1 + (double)take(in, 1)) / 1000;
    o->params = params;
    if (algorithm->can & FRESHET_CAN_WINDOW)
        o->window = take(in, 1);
    if (algorithm->can & FRESHET_CAN_WITHIN && !o->window)
        o->within = take(in, 1);
    take_params(params, room, algorithm, in);
}

/* Recently used empty blocks, each with the bytes that it was made from:
   planning a filter takes longer than most programs. */
static struct planned {
    uint8_t from[64];
    size_t len, bytes;
    void *block; /* NULL: the options are refused */
} planned[512];

static struct planned *place_of(const uint8_t *from, size_t len)
{
    uint64_t h = 0;

    for (size_t i = 0; i < len; i++)
        h = (h ^ from[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return &planned[h >> 55];
}

static const struct planned *plan(const freshet_options *o, const uint8_t *from,
                                  size_t len)
{
    struct planned *p = place_of(from, len);
    const void *block;
    freshet *f;

    MUST(len <= sizeof p->from);
    if (p->len == len && memcmp(p->from, from, len) == 0)
        return p;
    free(p->block);
    *p = (struct planned){.len = len};
    memcpy(p->from, from, len);
    if (freshet_create(&f, o, NULL) < 0)
        return p;
    block = freshet_block(f, &p->bytes);
    p->block = aligned_alloc(64, (p->bytes + 63) / 64 * 64);
    MUST(p->block);
    memcpy(p->block, block, p->bytes);
    freshet_free(f);
    return p;
}

static struct twin begin(const struct planned *p)
{
    struct twin t = {0};

    t.block = aligned_alloc(64, (p->bytes + 63) / 64 * 64);
    MUST(t.block);
    memcpy(t.block, p->block, p->bytes);
    MUST(freshet_attach(&t.f, t.block, p->bytes, NULL) == FRESHET_OK);
    return t;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    const struct planned *p;
    freshet_options o;
    char params[512];
    struct twin a, b;

    read_options(&o, params, sizeof params, &in);
    p = plan(&o, data, size - in.left);
    if (!p->block)
        return 0;
    a = begin(p);
    b = begin(p);
    for (size_t budget = MOST; in.left && budget > BATCH; budget -= BATCH)
        step(&a, &b, &in);
    freshet_free(a.f);
    freshet_free(b.f);
    free(a.block);
    free(b.block);
    return 0;
}
