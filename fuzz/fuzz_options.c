/*
 * fuzz_options.c - options are refused with a reason, or they work
 *
 * Accepted options imply a plan within the budget, whose parameters read back
 * to the same plan, and, if it is small, a filter of exactly that size.
 */
#include "asked.h"

static void create(const freshet_options *o, const freshet_planned *planned)
{
    freshet_info info = {.size = sizeof info};
    freshet *f;

    MUST(freshet_create(&f, o, NULL) == FRESHET_OK);
    freshet_get_info(f, &info);
    MUST(info.memory == planned->bytes);
    MUST(strcmp(info.algorithm, planned->algorithm) == 0);
    MUST(strcmp(info.params, planned->params) == 0);
    for (int key = 0; key < 20; key++)
        freshet_offer(f, &key, sizeof key);
    freshet_free(f);
}

/* The planned parameters, given as options, make the same plan. */
static void plan_again(const freshet_options *o, const freshet_planned *planned)
{
    freshet_options spelled = *o;
    freshet_planned again = {.size = sizeof again};

    spelled.algorithm = planned->algorithm;
    spelled.params = planned->params;
    MUST(freshet_plan(&again, &spelled, NULL) == FRESHET_OK);
    MUST(again.bytes == planned->bytes);
    MUST(strcmp(again.params, planned->params) == 0);
}

/* The name of a hash is refused, or filters accept it. */
static void make_hasher(const char *name)
{
    freshet_hasher h = {.size = sizeof h, .hash = name, .key = {1, 0}};
    freshet_error err = {0};
    int status = freshet_hasher_init(&h, &err);

    if (status < 0)
        refused(status, &err);
    else
        MUST(strcmp(h.hash, name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct asked a = read_asked(&in);
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err = {0};
    int status = freshet_plan(&planned, &a.o, &err);

    make_hasher(a.name);
    if (status < 0) {
        refused(status, &err);
    } else {
        MUST(planned.bytes <= (a.o.memory ? a.o.memory : UINT64_C(256) << 20));
        plan_again(&a.o, &planned);
        if (planned.bytes <= 1 << 16)
            create(&a.o, &planned);
    }
    free_asked(&a);
    return 0;
}
