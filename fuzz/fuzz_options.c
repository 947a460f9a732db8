/*
 * fuzz_options.c - options are refused with a reason, or they work
 *
 * Accepted options imply a plan within the budget, whose parameters read back
 * to the same plan, and, if it is small, a filter of exactly that size.
 */
#include <math.h>

#include "fuzz.h"

/* Returns the text up to the next zero byte, or the whole rest. */
static char *read_string(struct input *in)
{
    size_t len = strnlen((const char *)in->at, in->left);
    char *text = malloc(len + 1);

    MUST(text);
    memcpy(text, in->at, len);
    text[len] = '\0';
    in->at += len;
    in->left -= len;
    take(in, 1); /* the zero */
    return text;
}

static void refused(int status, const freshet_error *err)
{
    MUST(status < 0 && err->status == status);
    MUST(strcmp(freshet_status_text(status), "unknown status") != 0);
    MUST(memchr(err->message, '\0', sizeof err->message));
    MUST(err->message[0] && !strpbrk(err->message, "\n\r\033"));
}

static int is_rate(double x)
{
    return isnan(x) || (x >= 0 && x <= 1);
}

static void expect(const freshet_options *o, struct input *in)
{
    freshet_workload w = {.size = sizeof w};
    freshet_rates r = {.size = sizeof r};

    w.distinct = take(in, 8);
    w.records = take(in, 8);
    w.gap = take(in, 8);
    w.published = take(in, 1);
    MUST(freshet_expect_options(&r, o, &w, NULL) == FRESHET_OK);
    MUST(w.published || is_rate(r.false_drop));
    MUST(w.published || is_rate(r.false_pass));
    MUST(isnan(r.reach) || r.reach >= 0);
}

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
    uint64_t which = take(&in, 1), rate = take(&in, 8);
    uint64_t about = take(&in, 1);
    freshet_options o = {.size = sizeof o};
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err = {0};
    char *name, *params;
    int status;

    memcpy(&o.false_drop_rate, &rate, sizeof rate);
    o.memory = about & 1 ? take(&in, 8) : take(&in, 2);
    o.expect = about & 2 ? take(&in, 8) : 0;
    o.window = about & 4 ? take(&in, 8) : 0;
    o.within = about & 8 ? take(&in, 8) : 0;
    o.goal = (uint32_t)(about >> 4 & 3);
    name = read_string(&in);
    params = read_string(&in);
    o.algorithm = which == 255 ? name : algorithm_of(which)->name;
    o.algorithm = which == 254 ? NULL : o.algorithm;
    o.params = params;
    make_hasher(name);
    status = freshet_plan(&planned, &o, &err);
    if (status < 0) {
        refused(status, &err);
    } else {
        MUST(planned.bytes <= (o.memory ? o.memory : UINT64_C(256) << 20));
        plan_again(&o, &planned);
        if (planned.bytes <= 1 << 16)
            create(&o, &planned);
        if (about & 64)
            expect(&o, &in);
    }
    free(name);
    free(params);
    return 0;
}
