/*
 * fuzz_bfdump.c - headers of Bloom chains are refused, or the chains work
 */
#include "bf_dump.h"

#include "api.h"
#include "fuzz.h"
#include "server_stats.h"

enum { OPTIONS = 12, ITEMS = 40, LARGE = 1 << 20 };

/* Simulates a server without room for large filters. */
static void *try_alloc(size_t bytes)
{
    return bytes <= LARGE ? malloc(bytes) : NULL;
}

struct rm_calls rm = {.Alloc = malloc, .TryAlloc = try_alloc, .Free = free};

void server_stats_count(int more)
{
    (void)more;
}

/* Its header is the given one, except that its next link is not rounded. */
static void compare(const struct bf_chain *chain, const uint8_t *data,
                    size_t size)
{
    size_t len;
    char *header = bf_dump_header(chain, &len);

    MUST(len == size);
    header[OPTIONS] = (char)data[OPTIONS];
    MUST(memcmp(header, data, size) == 0);
    free(header);
}

/* Keys that were new are found afterwards. */
static void add(struct bf_chain *chain)
{
    for (char i = 0; i < ITEMS; i++) {
        struct bf_hash hash = bf_hash(&i, 1);
        bool had = bf_chain_has(chain, hash);
        enum bf_verdict verdict = bf_chain_add(chain, hash);

        MUST(had == (verdict == BF_SEEN));
        MUST(bf_chain_has(chain, hash) ==
             (verdict == BF_SEEN || verdict == BF_NEW));
    }
}

/* The result can be read again, and its chunks are complete. */
static void dump(const struct bf_chain *chain)
{
    struct bf_chunk chunk = {.next = 1};
    struct bf_chain like;
    uint64_t bytes = 0;
    size_t len;
    char *header = bf_dump_header(chain, &len);

    MUST(bf_dump_read(&like, header, len));
    while ((chunk = bf_dump_chunk(chain, chunk.next, 100)).next) {
        bytes += chunk.len;
        MUST(chunk.len > 0 && chunk.next == bytes + 1);
    }
    MUST(bytes == bf_dump_bits(&like));
    bf_dump_forget(&like);
    free(header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size + !size); /* so that reading one byte too far is
                                           noticed */
    struct bf_chain like, *chain;

    MUST(exact);
    memcpy(exact, data, size);
    if (bf_dump_read(&like, exact, size)) {
        chain = bf_dump_bits(&like) <= LARGE ? bf_chain_of(&like) : NULL;
        if (chain) {
            compare(chain, data, size);
            add(chain);
            dump(chain);
            bf_chain_free(chain);
        }
        bf_dump_forget(&like);
    }
    free(exact);
    return 0;
}
