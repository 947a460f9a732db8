/*
 * freshet.c - the public functions: a thin layer over the algorithms
 */
#include "freshet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"
#include "hash.h"
#include "options.h"

const char *freshet_version(void)
{
    return FRESHET_VERSION;
}

/* ---- Making a filter -------------------------------------------------- */

int freshet_plan(freshet_planned *out, const freshet_options *options,
                 freshet_error *err)
{
    struct fr_layout layout;
    freshet_planned planned = {0};
    int status = fr_layout_make(&layout, options, err);

    if (status == FRESHET_OK && out)
        status = fr_check_out(out, "planned", err);
    if (status < 0 || !out)
        return status;
    planned.algorithm = layout.algo->about.name;
    planned.bytes = layout.bytes;
    fr_params_format(planned.params, sizeof planned.params, layout.algo->params,
                     layout.param);
    snprintf(planned.reason, sizeof planned.reason, "%s", layout.reason);
    fr_write_struct(out, &planned, sizeof planned);
    return FRESHET_OK;
}

static int wrap(freshet **out, const struct fr_algo *algo, void *block,
                freshet_error *err)
{
    freshet *f = malloc(sizeof *f);

    *out = f;
    if (!f)
        return fr_fail(err, FRESHET_ERR_MEMORY, "no memory for a handle");
    f->algo = algo;
    f->header = block;
    f->state = (char *)block + sizeof(struct fr_header);
    f->owned = false;
    fr_huge_pages_none(&f->pages);
    f->cold = f->header->bytes / FR_SMALL_PAGE;
    fr_hasher_of_key(&f->hasher,
                     &(struct fr_hash_key){f->header->hash, f->header->seed,
                                           f->header->seed_high});
    return FRESHET_OK;
}

int freshet_create_at(freshet **out, void *block, size_t bytes,
                      const freshet_options *options, freshet_error *err)
{
    struct fr_layout layout;
    struct fr_hash_key hash_key;
    freshet_options o;
    int status;

    *out = NULL;
    status = fr_read_options(&o, options, err);
    if (status < 0)
        return status;
    hash_key = fr_hash_key_of(&o);
    status = fr_hash_key_check(&hash_key, o.hash, err);
    if (status == FRESHET_OK)
        status = fr_hash_key_complete(&hash_key, err);
    o.seed = hash_key.seed;
    o.seed_high = hash_key.high;
    if (status == FRESHET_OK)
        status = fr_layout_make(&layout, &o, err);
    if (status != FRESHET_OK)
        return status;
    if (!block || (uintptr_t)block % FR_ALIGN != 0)
        return fr_fail(err, FRESHET_ERR_ALIGNMENT,
                       "the block must start at a multiple of %d bytes",
                       FR_ALIGN);
    if (bytes < layout.bytes)
        return fr_fail(err, FRESHET_ERR_BUDGET,
                       "the block has %zu bytes, the filter needs %zu", bytes,
                       layout.bytes);
    fr_block_begin(block, layout.algo, &layout.goal, &hash_key, layout.bytes);
    memcpy((char *)block + sizeof(struct fr_header), layout.state,
           layout.algo->head);
    return wrap(out, layout.algo, block, err);
}

int freshet_create(freshet **out, const freshet_options *options,
                   freshet_error *err)
{
    freshet_planned planned = {.size = sizeof planned};
    struct fr_huge_pages pages;
    void *block;
    int status;

    *out = NULL;
    status = freshet_plan(&planned, options, err);
    if (status < 0)
        return status;
    block = fr_block_alloc(planned.bytes, &pages);
    if (!block)
        return fr_fail(err, FRESHET_ERR_MEMORY,
                       "the system cannot allocate %llu bytes",
                       (unsigned long long)planned.bytes);
    status = freshet_create_at(out, block, planned.bytes, options, err);
    if (status < 0) {
        fr_block_release(block, planned.bytes);
        return status;
    }
    /* It is set where the status is good.
       NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    (*out)->owned = true;
    (*out)->pages = pages;
    (*out)->cold = 0;
    return FRESHET_OK;
}

int freshet_attach(freshet **out, void *block, size_t bytes, freshet_error *err)
{
    const struct fr_algo *algo;
    int status;

    *out = NULL;
    status = fr_block_check(&algo, block, bytes, err);
    return status < 0 ? status : wrap(out, algo, block, err);
}

const void *freshet_block(const freshet *f, size_t *bytes)
{
    *bytes = f->header->bytes;
    return f->header;
}

size_t freshet_reset_head(freshet *f)
{
    struct fr_header *h = f->header;

    h->offered = h->fresh = h->remembered = h->now = 0;
    return sizeof *h + f->algo->head;
}

void freshet_reset(freshet *f)
{
    struct fr_header *h = f->header;
    size_t from = freshet_reset_head(f);

    if (f->owned)
        fr_block_zero(h, h->bytes, from);
    else
        memset((char *)h + from, 0, h->bytes - from);
}

void freshet_free(freshet *f)
{
    if (f && f->owned)
        fr_block_release(f->header, f->header->bytes);
    free(f);
}

/* ---- Keys ------------------------------------------------------------- */

freshet_hash freshet_hash_key(const freshet *f, const void *key, size_t len)
{
    return freshet_hash_with(&f->hasher, key, len);
}

int freshet_hasher_init(freshet_hasher *hasher, freshet_error *err)
{
    freshet_hasher h;
    int status = fr_read_struct(&h, sizeof h, hasher, sizeof h, "hasher", err);

    if (status == FRESHET_OK)
        status = fr_hasher_make(&h, err);
    if (status == FRESHET_OK)
        fr_write_struct(hasher, &h, sizeof h);
    return status;
}

void freshet_hasher_of(const freshet *f, freshet_hasher *out)
{
    fr_write_struct(out, &f->hasher, sizeof f->hasher);
}

/* Makes pages huge if the number of keys in the filter calls for it. */
static void count_keys(freshet *f)
{
    fr_huge_pages_count(&f->pages, f->header->fresh + f->header->remembered);
}

/*
 * The pages of the first keys are faulted in beforehand.  While huge pages are
 * still to be made, a long batch is processed in steps that end where the next
 * pages are due.  Returns the number of keys in the next step.
 */
static size_t prepare_step(freshet *f, const freshet_hash *keys, size_t n)
{
    enum { LEAST = 64, MOST = 1024 };
    uint64_t held = f->header->fresh + f->header->remembered;
    size_t step;

    if (f->pages.next == FR_NEVER) {
        if (held < f->cold)
            fr_fault_in(f, keys, n);
        return n;
    }
    if (f->pages.next <= held + LEAST)
        step = LEAST;
    else if (f->pages.next < held + MOST)
        step = (size_t)(f->pages.next - held);
    else
        step = MOST;
    n = n < step ? n : step;
    if (f->header->offered < f->pages.next)
        fr_fault_in(f, keys, n);
    return n;
}

void freshet_prefetch(const freshet *f, const freshet_hash *keys, size_t n)
{
    if (f->algo->prefetch)
        f->algo->prefetch(f->state, keys, n);
}

int freshet_lines(const freshet *f, const freshet_hash *key,
                  const void *lines[2])
{
    uint64_t *at[2];

    if (!f->algo->lines)
        return FRESHET_ERR_UNSUPPORTED;
    f->algo->lines(f->state, *key, at);
    lines[0] = at[0];
    lines[1] = at[1];
    return FRESHET_OK;
}

size_t freshet_offer_batch(freshet *f, const freshet_hash *keys, size_t n,
                           uint8_t *seen)
{
    size_t fresh = 0;

    for (size_t step; n; keys += step, seen += step, n -= step) {
        size_t found;

        step = prepare_step(f, keys, n);
        found = f->algo->offer(f->state, keys, step, seen);
        f->header->offered += step;
        f->header->fresh += found;
        fresh += found;
        count_keys(f);
    }
    return fresh;
}

size_t freshet_query_batch(const freshet *f, const freshet_hash *keys, size_t n,
                           uint8_t *seen)
{
    return f->algo->query(f->state, keys, n, seen);
}

void freshet_remember_batch(freshet *f, const freshet_hash *keys, size_t n)
{
    uint8_t unread[256];

    for (size_t part; n; keys += part, n -= part) {
        part = n < sizeof unread ? n : sizeof unread;
        f->algo->offer(f->state, keys, part, unread);
        f->header->remembered += part;
        count_keys(f);
    }
}

long freshet_forget_batch(freshet *f, const freshet_hash *keys, size_t n)
{
    if (!f->algo->forget)
        return FRESHET_ERR_UNSUPPORTED;
    return (long)f->algo->forget(f->state, keys, n);
}

int freshet_offer(freshet *f, const void *key, size_t len)
{
    freshet_hash h = freshet_hash_with(&f->hasher, key, len);
    uint8_t seen;

    freshet_offer_batch(f, &h, 1, &seen);
    return seen;
}

int freshet_query(const freshet *f, const void *key, size_t len)
{
    freshet_hash h = freshet_hash_with(&f->hasher, key, len);
    uint8_t seen;

    freshet_query_batch(f, &h, 1, &seen);
    return seen;
}

void freshet_remember(freshet *f, const void *key, size_t len)
{
    freshet_hash h = freshet_hash_with(&f->hasher, key, len);

    freshet_remember_batch(f, &h, 1);
}

int freshet_forget(freshet *f, const void *key, size_t len)
{
    freshet_hash h = freshet_hash_with(&f->hasher, key, len);

    return (int)freshet_forget_batch(f, &h, 1);
}

void freshet_tick(freshet *f, uint64_t now)
{
    if (now <= f->header->now)
        return;
    f->header->now = now;
    if (f->algo->tick)
        f->algo->tick(f->state, now);
}

int freshet_merge(freshet *f, const freshet *other, freshet_error *err)
{
    struct fr_header *h = f->header, *o = other->header;

    if (!f->algo->merge)
        return fr_fail(err, FRESHET_ERR_UNSUPPORTED, "%s cannot merge",
                       f->algo->about.name);
    if (f->algo != other->algo || h->bytes != o->bytes || h->seed != o->seed ||
        h->hash != o->hash || h->seed_high != o->seed_high ||
        memcmp(f->state, other->state, f->algo->head) != 0)
        return fr_fail(err, FRESHET_ERR_MISMATCH,
                       "only filters of equal options and seed can merge");
    if (h == o)
        return FRESHET_OK; /* a filter merged with itself stays as it is */
    freshet_tick(f, o->now);
    h->offered += o->offered;
    h->fresh += o->fresh;
    h->remembered += o->remembered;
    count_keys(f);
    f->algo->merge(f->state, other->state);
    return FRESHET_OK;
}

/* ---- Expectations ----------------------------------------------------- */

/* Averages false passes over the gaps: Deng and Rafiei, Eq. 15 and 16. */
static void expect_gaps(freshet_rates *rates, const struct fr_algo *algo,
                        const void *state, freshet_workload *w)
{
    double passes = 0, shares = 0;

    for (uint64_t i = 0; i < w->gap_count; i++) {
        w->gap = w->gaps[i].gap;
        w->span = fr_span_of(&w->gaps[i]);
        algo->expect(state, w, rates);
        passes += w->gaps[i].share * rates->false_pass;
        shares += w->gaps[i].share;
    }
    rates->false_pass = passes / shares;
}

static int read_workload(freshet_workload *to, const freshet_workload *from,
                         freshet_error *err)
{
    int status =
        fr_read_struct(to, sizeof *to, from, offsetof(freshet_workload, gaps),
                       "workload", err);

    if (status < 0)
        return status;
    if (to->gap_count && to->records)
        return fr_fail(err, FRESHET_ERR_ARGUMENT,
                       "a workload with records has the gaps of a uniform "
                       "stream; leave out gaps or records");
    if (to->span < to->gap) /* span was not given */
        to->span = to->gap;
    return fr_check_gaps(to->gaps, to->gap_count, err);
}

static int expect(freshet_rates *out, const struct fr_algo *algo,
                  const void *state, const freshet_workload *workload,
                  freshet_error *err)
{
    freshet_workload w;
    freshet_rates rates = {
        .false_drop = (double)NAN,
        .false_pass = (double)NAN,
        .reach = (double)NAN,
        .drop_bound = (double)NAN,
        .stable_fill = (double)NAN,
        .stable_after = (double)NAN,
        .step_variance = (double)NAN,
    };
    int status = read_workload(&w, workload, err);

    if (status == FRESHET_OK)
        status = fr_check_out(out, "rates", err);
    if (status < 0)
        return status;
    if (algo->expect && w.gap_count)
        expect_gaps(&rates, algo, state, &w);
    else if (algo->expect)
        algo->expect(state, &w, &rates);
    fr_write_struct(out, &rates, sizeof rates);
    return FRESHET_OK;
}

int freshet_expect(freshet_rates *out, const freshet *f,
                   const freshet_workload *workload, freshet_error *err)
{
    return expect(out, f->algo, f->state, workload, err);
}

int freshet_expect_options(freshet_rates *out, const freshet_options *options,
                           const freshet_workload *workload, freshet_error *err)
{
    struct fr_layout layout;
    int status = fr_layout_make(&layout, options, err);

    if (status < 0)
        return status;
    return expect(out, layout.algo, layout.state, workload, err);
}

/* ---- Looking inside --------------------------------------------------- */

/* Fills in what is known at once. */
static freshet_info brief_info(const freshet *f)
{
    const struct fr_header *h = f->header;
    double param[FR_MAX_PARAMS];
    freshet_info info = {
        .algorithm = f->algo->about.name,
        .hash = fr_hash_name(h->hash),
        .seed = h->seed,
        .memory = h->bytes,
        .wanted = (double)h->wanted / 0x1p64,
        .expect = h->expect,
        .window = h->window,
        .within = h->within,
        .now = h->now,
        .offered = h->offered,
        .fresh = h->fresh,
        .remembered = h->remembered,
        .forgotten = FRESHET_UNKNOWN,
        .false_drop = (double)NAN,
        .false_pass = (double)NAN,
        .search = (double)NAN,
    };

    for (size_t i = 0; i < FR_MAX_PARAMS; i++)
        param[i] = fr_block_param(h, i);
    fr_params_format(info.params, sizeof info.params, f->algo->params, param);
    return info;
}

void freshet_get_info(const freshet *f, freshet_info *out)
{
    freshet_info info = brief_info(f);

    if (out->size > offsetof(freshet_info, slots))
        f->algo->inspect(f->state, &info);
    fr_write_struct(out, &info, sizeof info);
}

int freshet_estimate_info(const freshet *f, freshet_info *out, size_t bytes)
{
    freshet_info info = brief_info(f);
    int status = FRESHET_OK;

    if (info.memory <= bytes)
        f->algo->inspect(f->state, &info);
    else if (f->algo->sample)
        f->algo->sample(f->state, info.memory / (bytes | 1) + 1, &info);
    else
        status = FRESHET_ERR_UNSUPPORTED;
    fr_write_struct(out, &info, sizeof info);
    return status;
}

const freshet_algorithm *freshet_algorithm_at(size_t i)
{
    for (size_t n = 0; fr_algos[n]; n++)
        if (n == i)
            return &fr_algos[n]->about;
    return NULL;
}

const freshet_parameter *freshet_parameter_at(
    const freshet_algorithm *algorithm, size_t i)
{
    const freshet_parameter *p = fr_algo_named(algorithm->name)->params;

    for (size_t n = 0; p[n].name; n++)
        if (n == i)
            return &p[n];
    return NULL;
}
