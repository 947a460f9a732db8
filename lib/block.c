/*
 * block.c - the block of memory that holds a filter
 */
#include "block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "parts/bits.h"

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#    error "freshet blocks are little-endian: this machine is not supported"
#endif
_Static_assert(sizeof(void *) == 8, "freshet needs a 64-bit machine");

static const char magic[8] = "freshet";

/* Blocks of at least this size are mapped: the kernel's pages are zero and take
   no memory before they are touched. */
#define MAPPED_FROM ((size_t)128 << 10)

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/*
 * Returns the number of bytes to map for a block.  A block that can have huge
 * pages gets whole ones, and behind them a spare one for the test in
 * huge_pages.c.
 */
static size_t mapped(size_t bytes)
{
    if (bytes < FR_HUGE_PAGE)
        return round_up(bytes, FR_SMALL_PAGE);
    return round_up(bytes, FR_HUGE_PAGE) + FR_HUGE_PAGE;
}

static void *map(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

/* Returns a mapping that starts at a multiple of the huge page size, so that
   the kernel can use huge pages for it. */
static void *map_aligned(size_t bytes)
{
    char *at = map(bytes + FR_HUGE_PAGE);
    size_t before = -(uintptr_t)at % FR_HUGE_PAGE;

    if (!at)
        return NULL;
    if (before)
        munmap(at, before);
    munmap(at + before + bytes, FR_HUGE_PAGE - before);
    return at + before;
}

void *fr_block_alloc(size_t bytes, struct fr_huge_pages *pages)
{
    void *block;

    fr_huge_pages_none(pages);
    if (bytes >= FR_HUGE_PAGE) {
        block = map_aligned(mapped(bytes));
        if (block)
            fr_huge_pages_begin(pages, block, bytes);
        return block;
    }
    if (bytes >= MAPPED_FROM)
        return map(mapped(bytes));
    bytes = round_up(bytes, FR_ALIGN);
    block = aligned_alloc(FR_ALIGN, bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

void fr_block_release(void *block, size_t bytes)
{
    if (bytes >= MAPPED_FROM)
        munmap(block, mapped(bytes));
    else
        free(block);
}

void fr_block_zero(void *block, size_t bytes, size_t from)
{
    size_t whole = round_up(from, FR_SMALL_PAGE);
    char *at = block;

    if (bytes < MAPPED_FROM ||
        madvise(at + whole, mapped(bytes) - whole, MADV_DONTNEED) != 0)
        whole = bytes;
    memset(at + from, 0, whole - from);
}

void fr_block_begin(struct fr_header *h, const struct fr_algo *algo,
                    const struct fr_goal *goal, const struct fr_hash_key *key,
                    size_t bytes)
{
    memcpy(h->magic, magic, sizeof magic);
    h->version = FR_VERSION;
    h->algo = algo->id;
    h->hash = key->hash;
    h->bytes = bytes;
    h->seed = key->seed;
    h->seed_high = key->high;
    h->wanted = fr_probability(goal->false_drop);
    h->expect = goal->expect;
    h->window = goal->window;
    h->within = goal->within;
    for (size_t i = 0; algo->params[i].name; i++)
        memcpy(&h->param[i], &goal->param[i], sizeof h->param[i]);
}

double fr_block_param(const struct fr_header *h, size_t i)
{
    double value;

    memcpy(&value, &h->param[i], sizeof value);
    return value;
}

static const struct fr_algo *find_id(const struct fr_algo *const *algo,
                                     uint32_t id)
{
    while (*algo && (*algo)->id != id)
        algo++;
    return *algo;
}

static const struct fr_algo *algo_by_id(uint32_t id)
{
    const struct fr_algo *algo = find_id(fr_algos, id);

    return algo ? algo : find_id(fr_older_algos, id);
}

/* Returns whether a parameter that this version does not know is not zero. */
static bool has_unknown_params(const struct fr_header *h,
                               const freshet_parameter *p)
{
    uint64_t any = 0;
    size_t known = 0;

    while (p[known].name)
        known++;
    for (size_t i = known; i < FR_MAX_PARAMS; i++)
        any |= h->param[i];
    return any != 0;
}

static bool params_in_range(const struct fr_header *h,
                            const freshet_parameter *p)
{
    for (size_t i = 0; p[i].name; i++) {
        double value = fr_block_param(h, i);

        if (!(value >= p[i].min && value <= p[i].max) ||
            (p[i].whole && value != floor(value)))
            return false;
    }
    return true;
}

/* Returns whether a field is set that this version always leaves zero: a newer
   version may use it. */
static bool has_unknown_fields(const struct fr_header *h)
{
    uint64_t any = h->flags;

    for (size_t i = 0; i < 3; i++)
        any |= h->unused[i];
    for (size_t i = 0; i < 3; i++)
        any |= h->spare[i];
    if (h->hash == FR_HASH_XXH3)
        any |= h->seed_high;
    return any != 0;
}

/* Checks what must be known before the rest of the header is read. */
static int check_start(const void *block, size_t bytes, freshet_error *err)
{
    const struct fr_header *h = block;

    if (!block || (uintptr_t)block % FR_ALIGN != 0)
        return fr_fail(err, FRESHET_ERR_ALIGNMENT,
                       "the block must start at a multiple of %d bytes",
                       FR_ALIGN);
    if (bytes < sizeof magic || memcmp(h->magic, magic, sizeof magic) != 0)
        return fr_fail(err, FRESHET_ERR_FOREIGN,
                       "these bytes are not a freshet filter");
    if (bytes < sizeof *h)
        return fr_fail(err, FRESHET_ERR_DAMAGED,
                       "the filter is cut short after %zu bytes", bytes);
    return FRESHET_OK;
}

/* Refuses what only a newer version can know; algo is NULL if it is unknown. */
static int check_version(const struct fr_header *h, const struct fr_algo *algo,
                         freshet_error *err)
{
    if (h->version > FR_VERSION || !fr_hash_name(h->hash) ||
        has_unknown_fields(h))
        return fr_fail(err, FRESHET_ERR_VERSION,
                       "the filter was written by a newer freshet; this is %s",
                       freshet_version());
    if (!algo)
        return fr_fail(err, FRESHET_ERR_VERSION,
                       "the filter uses an algorithm that freshet %s lacks",
                       freshet_version());
    if (has_unknown_params(h, algo->params))
        return fr_fail(err, FRESHET_ERR_VERSION,
                       "a newer freshet gave %s a parameter that %s lacks",
                       algo->about.name, freshet_version());
    return FRESHET_OK;
}

/* Returns whether header, layout and state are those of a filter. */
static bool is_whole(const struct fr_header *h, const struct fr_algo *a)
{
    const char *state = (const char *)h + sizeof *h;

    return h->version == FR_VERSION && h->seed != 0 &&
           (h->hash != FR_HASH_SIPHASH || h->seed_high != 0) &&
           h->bytes >= sizeof *h + a->base + 64 &&
           params_in_range(h, a->params) &&
           a->check(state, h->bytes - sizeof *h) &&
           (!a->check_live || a->check_live(state, h->bytes - sizeof *h));
}

int fr_block_check(const struct fr_algo **algo, const void *block, size_t bytes,
                   freshet_error *err)
{
    const struct fr_header *h = block;
    const struct fr_algo *a;
    int status = check_start(block, bytes, err);

    if (status != FRESHET_OK)
        return status;
    a = algo_by_id(h->algo);
    status = check_version(h, a, err);
    if (status != FRESHET_OK || !a)
        return status;
    if (h->bytes > bytes)
        return fr_fail(err, FRESHET_ERR_DAMAGED,
                       "the filter is cut short: %zu of %llu bytes are there",
                       bytes, (unsigned long long)h->bytes);
    if (!is_whole(h, a))
        return fr_fail(err, FRESHET_ERR_DAMAGED,
                       "the filter's %s state is damaged", a->about.name);
    *algo = a;
    return FRESHET_OK;
}
