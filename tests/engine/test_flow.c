/*
 * test_flow.c - items that pass through steps, by one thread
 */
#include "check.h"
#include "flow.h"

enum { ITEMS = 3, LAG = 2 };

/* An item counts the steps that were performed for it. */
static void count(void *context, void *item, unsigned lane)
{
    (void)context, (void)lane;
    ++*(unsigned *)item;
}

static struct flow *make_flow(unsigned item[ITEMS])
{
    struct flow_step steps[FLOW_STEPS];
    void *items[ITEMS];
    struct flow *f;

    for (unsigned i = 0; i < FLOW_STEPS; i++)
        steps[i] = (struct flow_step){.lanes = 1, .run = count};
    steps[2].lag = LAG;
    for (unsigned i = 0; i < ITEMS; i++)
        items[i] = &item[i];
    f = flow_create(steps, NULL, NULL, items, ITEMS);
    assert_non_null(f);
    return f;
}

static void items_wait_until_others_are_pushed(void **state)
{
    unsigned item[ITEMS] = {0}, *first, *second;
    struct flow *f = make_flow(item);

    (void)state;
    first = flow_take(f);
    flow_push(f, first, false);
    second = flow_take(f);
    flow_push(f, second, false);
    assert_true(*first == 2 && *second == 2);
    flow_push(f, flow_take(f), false);
    assert_true(*first == FLOW_STEPS && *second == 2);
    flow_drain(f);
    assert_int_equal(*second, FLOW_STEPS);
    flow_free(f);
}

/* The limit counts items that can be taken: with two of three left, the second
   one fills the flow. */
static void an_item_that_is_retired_is_not_waited_for(void **state)
{
    unsigned item[ITEMS] = {0}, *retired, *first, *second;
    struct flow *f = make_flow(item);

    (void)state;
    retired = flow_take(f);
    flow_retire_item(f);
    flow_set_limit(f, ITEMS);
    first = flow_take(f);
    flow_push(f, first, false);
    second = flow_take(f);
    flow_push(f, second, false);
    assert_true(*first == FLOW_STEPS && *second == 2 && *retired == 0);
    assert_ptr_equal(flow_take(f), first);
    flow_drain(f);
    flow_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_wait_until_others_are_pushed),
        cmocka_unit_test(an_item_that_is_retired_is_not_waited_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
