/*
 * bf_chain.c - a chain of Bloom filters that grows as RedisBloom's does
 */
#include "bf_chain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "api.h"
#include "server_stats.h"

/*
 * To as many digits as RedisBloom has them: it refuses a dump whose number of
 * hashes comes out otherwise, and for an error of 1/4 the last digit decides.
 */
static const double LN2 = 0.693147180559945, LN2_SQUARED = 0.480453013918201;

static const double TIGHTENING = 0.5;

/* ---- One link --------------------------------------------------------- */

bool bf_link_plan(struct bf_link *link)
{
    double bits;

    if (link->capacity > BF_MAX_CAPACITY || link->error < DBL_MIN)
        return false;
    link->bits_per_item = -log(link->error) / LN2_SQUARED;
    bits = (double)link->capacity * link->bits_per_item;
    if (bits > (double)BF_MAX_BITS)
        return false;
    link->bits = ((uint64_t)fmax(bits, 1) + 63) / 64 * 64;
    link->hashes = (uint32_t)ceil(LN2 * link->bits_per_item);
    return true;
}

static bool link_has(const struct bf_link *link, struct bf_hash hash)
{
    const unsigned char *bytes = link->room.block;

    for (uint32_t i = 0; i < link->hashes; i++) {
        uint64_t bit = (hash.a + i * hash.b) % link->bits;

        if (!(bytes[bit / 8] & 1U << bit % 8))
            return false;
    }
    return true;
}

static void link_add(struct bf_link *link, struct bf_hash hash)
{
    unsigned char *bytes = link->room.block;

    for (uint32_t i = 0; i < link->hashes; i++) {
        uint64_t bit = (hash.a + i * hash.b) % link->bits;

        bytes[bit / 8] |= (unsigned char)(1U << bit % 8);
    }
    link->items++;
}

/* ---- The chain -------------------------------------------------------- */

/* Appends a link and allocates its bits. */
static bool append(struct bf_chain *chain, const struct bf_link *like)
{
    struct bf_link *links = rm.TryAlloc((chain->n + 1) * sizeof *links);
    struct bf_link *last;

    if (!links)
        return false;
    if (chain->n)
        memcpy(links, chain->links, chain->n * sizeof *links);
    last = &links[chain->n];
    *last = *like;
    if (!room_make(&last->room, last->bits / 8)) {
        rm.Free(links);
        return false;
    }
    rm.Free(chain->links);
    chain->links = links;
    chain->n++;
    return true;
}

static struct bf_chain *empty(const struct bf_chain *like)
{
    struct bf_chain *chain = rm.Alloc(sizeof *chain);

    *chain = *like;
    chain->n = 0;
    chain->links = NULL;
    server_stats_count(1);
    return chain;
}

struct bf_chain *bf_chain_of(const struct bf_chain *like)
{
    struct bf_chain *chain = empty(like);

    for (uint32_t i = 0; i < like->n; i++)
        if (!append(chain, &like->links[i])) {
            bf_chain_free(chain);
            return NULL;
        }
    return chain;
}

/* A chain leaves half of the error to the links to come. */
static struct bf_link first_link(const struct bf_shape *shape)
{
    return (struct bf_link){.error = shape->error *
                                     (shape->scaling ? TIGHTENING : 1),
                            .capacity = shape->capacity};
}

uint64_t bf_shape_bytes(const struct bf_shape *shape)
{
    struct bf_link link = first_link(shape);

    return bf_link_plan(&link) ? link.bits / 8 : 0;
}

struct bf_chain *bf_chain_make(const struct bf_shape *shape)
{
    struct bf_link link = first_link(shape);
    struct bf_chain like = {.growth = shape->growth,
                            .scaling = shape->scaling,
                            .n = 1,
                            .links = &link};

    return bf_link_plan(&link) ? bf_chain_of(&like) : NULL;
}

struct bf_chain *bf_chain_copy(const struct bf_chain *chain)
{
    struct bf_chain *copy = bf_chain_of(chain);

    for (uint32_t i = 0; copy && i < copy->n; i++)
        copy_sparse(copy->links[i].room.block, chain->links[i].room.block,
                    copy->links[i].room.bytes);
    return copy;
}

void bf_chain_free(struct bf_chain *chain)
{
    for (uint32_t i = 0; i < chain->n; i++)
        room_free(&chain->links[i].room);
    server_stats_count(-1);
    rm.Free(chain->links);
    rm.Free(chain);
}

/* ---- Items ------------------------------------------------------------ */

bool bf_chain_has(const struct bf_chain *chain, struct bf_hash hash)
{
    for (uint32_t i = chain->n; i > 0; i--) /* the last one has the most */
        if (link_has(&chain->links[i - 1], hash))
            return true;
    return false;
}

static bool is_full(const struct bf_chain *chain)
{
    const struct bf_link *last = &chain->links[chain->n - 1];

    return last->items >= last->capacity;
}

static bool plan_next(const struct bf_chain *chain, struct bf_link *next)
{
    const struct bf_link *last = &chain->links[chain->n - 1];

    *next = (struct bf_link){.error = last->error * TIGHTENING,
                             .capacity = last->capacity * chain->growth};
    return chain->n < BF_MAX_LINKS && bf_link_plan(next);
}

uint64_t bf_chain_next_bytes(const struct bf_chain *chain)
{
    struct bf_link next;

    return is_full(chain) && chain->scaling && plan_next(chain, &next)
               ? next.bits / 8
               : 0;
}

enum bf_verdict bf_chain_add(struct bf_chain *chain, struct bf_hash hash)
{
    struct bf_link next;

    if (bf_chain_has(chain, hash))
        return BF_SEEN;
    if (is_full(chain)) {
        if (!chain->scaling)
            return BF_FULL;
        if (!plan_next(chain, &next) || !append(chain, &next))
            return BF_NO_MEMORY;
    }
    link_add(&chain->links[chain->n - 1], hash);
    chain->items++;
    return BF_NEW;
}

/* ---- Figures ---------------------------------------------------------- */

uint64_t bf_chain_bytes(const struct bf_chain *chain)
{
    enum { CHAIN = 32, LINK = 64 }; /* RedisBloom's structs */
    uint64_t bytes = CHAIN;

    for (uint32_t i = 0; i < chain->n; i++)
        bytes += LINK + chain->links[i].room.bytes;
    return bytes;
}

uint64_t bf_chain_capacity(const struct bf_chain *chain)
{
    uint64_t capacity = 0;

    for (uint32_t i = 0; i < chain->n; i++)
        capacity += chain->links[i].capacity;
    return capacity;
}
