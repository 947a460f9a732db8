/*
 * fuzz_resp.c - any reply is complete, incomplete or refused
 */
#include "fuzz.h"
#include "resp.h"

/* A prefix of a reply is incomplete, and a reply lies inside its input. */
static void check_record(struct view reply)
{
    struct view rest = reply, all = reply;
    struct resp item;
    size_t items = 0, due = 1;

    for (size_t len = 0; len < reply.len; len += 1 + len / 8)
        MUST(resp_length((struct view){reply.at, len}) == 0);
    while (resp_next(&rest, &item)) {
        MUST(item.text.len == 0 ||
             (item.text.at >= reply.at &&
              item.text.at + item.text.len <= reply.at + reply.len));
        due += item.type == RESP_ARRAY ? (size_t)item.count : 0;
        items++;
    }
    MUST(rest.len == 0 && items == due);
    resp_skip(&all);
    MUST(all.len == 0);
    (void)resp_find(reply, "seed", &item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size + !size); /* so that reading one byte too far is
                                           noticed */
    struct view bytes = {exact, size};
    long n;

    MUST(exact);
    memcpy(exact, data, size);
    n = resp_length(bytes);
    MUST(n >= -1 && n <= (long)size);
    if (n > 0)
        check_record((struct view){exact, (size_t)n});
    free(exact);
    return 0;
}
