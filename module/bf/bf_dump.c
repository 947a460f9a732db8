/*
 * bf_dump.c - chains as RedisBloom dumps them: a header, then their bits
 */
#include "bf_dump.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "api.h"

enum { HEAD = 20, RECORD = 53, MAX_GROWTH = 32768 };
enum { NO_ROUND = 1, FORCE_64 = 4, NO_SCALING = 8 }; /* options */

#define MAX_BYTES (UINT64_C(1) << 48)

/* ---- Fields, one after the other --------------------------------------- */

static void put(char **to, const void *field, size_t len)
{
    memcpy(*to, field, len);
    *to += len;
}

static void get(void *field, const char **from, size_t len)
{
    memcpy(field, *from, len);
    *from += len;
}

/* ---- Out --------------------------------------------------------------- */

static void put_link(char **to, const struct bf_link *link)
{
    uint64_t bytes = link->bits / 8;

    put(to, &bytes, sizeof bytes);
    put(to, &link->bits, sizeof link->bits);
    put(to, &link->items, sizeof link->items);
    put(to, &link->error, sizeof link->error);
    put(to, &link->bits_per_item, sizeof link->bits_per_item);
    put(to, &link->hashes, sizeof link->hashes);
    put(to, &link->capacity, sizeof link->capacity);
    put(to, &link->rounding, sizeof link->rounding);
}

static void put_head(char **to, const struct bf_chain *chain)
{
    uint32_t options = NO_ROUND | FORCE_64 | (chain->scaling ? 0 : NO_SCALING);

    put(to, &chain->items, sizeof chain->items);
    put(to, &chain->n, sizeof chain->n);
    put(to, &options, sizeof options);
    put(to, &chain->growth, sizeof chain->growth);
}

char *bf_dump_header(const struct bf_chain *chain, size_t *len)
{
    char *header, *to;

    *len = HEAD + (size_t)RECORD * chain->n;
    header = to = rm.Alloc(*len);
    put_head(&to, chain);
    for (uint32_t i = 0; i < chain->n; i++)
        put_link(&to, &chain->links[i]);
    return header;
}

struct bf_chunk bf_dump_chunk(const struct bf_chain *chain, uint64_t iterator,
                              size_t most)
{
    uint64_t at = iterator - 1;

    for (uint32_t i = 0; i < chain->n; i++) {
        const struct room *room = &chain->links[i].room;

        if (at < room->bytes) {
            size_t len = room->bytes - at < most ? room->bytes - at : most;

            return (struct bf_chunk){(const char *)room->block + at, len,
                                     iterator + len};
        }
        at -= room->bytes;
    }
    return (struct bf_chunk){.bytes = ""};
}

/* ---- In ---------------------------------------------------------------- */

/* As the plan says?  Others round otherwise, and up to an item's bits more. */
static bool is_as_planned(const struct bf_link *link,
                          const struct bf_link *plan)
{
    double bits = (double)plan->bits, per_item = plan->bits_per_item;

    return fabs((double)link->bits - bits) <= 64 + per_item + 1e-9 * bits &&
           fabs(link->bits_per_item - per_item) <= 1e-9 * per_item &&
           link->hashes > 0 && link->hashes <= plan->hashes + 1 &&
           link->hashes + 1 >= plan->hashes;
}

static bool is_rounded(const struct bf_link *link)
{
    return link->rounding < 64 && link->bits == UINT64_C(1) << link->rounding;
}

static bool is_sound(const struct bf_link *link, uint64_t bytes)
{
    struct bf_link plan = *link;

    return link->error >= DBL_MIN && link->error < 1 && link->capacity > 0 &&
           link->items <= link->capacity && link->bits > 0 &&
           link->bits % 64 == 0 && link->bits <= BF_MAX_BITS &&
           bytes == link->bits / 8 &&
           (link->rounding == 0 || is_rounded(link)) && bf_link_plan(&plan) &&
           is_as_planned(link, &plan);
}

static bool get_link(struct bf_link *link, const char **from)
{
    uint64_t bytes;

    *link = (struct bf_link){0};
    get(&bytes, from, sizeof bytes);
    get(&link->bits, from, sizeof link->bits);
    get(&link->items, from, sizeof link->items);
    get(&link->error, from, sizeof link->error);
    get(&link->bits_per_item, from, sizeof link->bits_per_item);
    get(&link->hashes, from, sizeof link->hashes);
    get(&link->capacity, from, sizeof link->capacity);
    get(&link->rounding, from, sizeof link->rounding);
    return is_sound(link, bytes);
}

/*
 * Links may be rounded to powers of two or not, ours are not.  But they must be
 * filled by the 64-bit hash, and their capacity be one of items.
 */
static bool get_head(struct bf_chain *like, const char **from)
{
    uint32_t options;

    get(&like->items, from, sizeof like->items);
    get(&like->n, from, sizeof like->n);
    get(&options, from, sizeof options);
    get(&like->growth, from, sizeof like->growth);
    like->scaling = !(options & NO_SCALING);
    return (options & FORCE_64) &&
           !(options & ~(uint32_t)(NO_ROUND | FORCE_64 | NO_SCALING)) &&
           like->n > 0 && like->n <= BF_MAX_LINKS &&
           like->growth <= MAX_GROWTH && (like->growth || !like->scaling);
}

static bool get_links(struct bf_chain *like, const char *from)
{
    uint64_t items = 0;

    for (uint32_t i = 0; i < like->n; i++) {
        if (!get_link(&like->links[i], &from))
            return false;
        items += like->links[i].items;
    }
    return items == like->items && bf_dump_bits(like) <= MAX_BYTES;
}

bool bf_dump_read(struct bf_chain *like, const char *header, size_t len)
{
    *like = (struct bf_chain){0};
    if (len < HEAD || !get_head(like, &header) ||
        len != HEAD + (size_t)RECORD * like->n)
        return false;
    like->links = rm.Alloc(like->n * sizeof *like->links);
    if (get_links(like, header))
        return true;
    bf_dump_forget(like);
    return false;
}

void bf_dump_forget(struct bf_chain *like)
{
    rm.Free(like->links);
    like->links = NULL;
}

uint64_t bf_dump_bits(const struct bf_chain *like)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < like->n; i++)
        bytes += like->links[i].bits / 8;
    return bytes;
}
