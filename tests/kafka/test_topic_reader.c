/*
 * test_topic_reader.c - what brokers may say of a topic
 */
#include "topic_reader.h"

#include "check.h"

static char other[] = "other", t[] = "t";
static struct rd_kafka_metadata_topic topics[] = {
    {.topic = other, .partition_cnt = 7},
    {.topic = t, .partition_cnt = 3},
};
static const struct rd_kafka_metadata answer = {.topic_cnt = 2,
                                                .topics = topics};

static rd_kafka_resp_err_t say(rd_kafka_t *rk, int all, rd_kafka_topic_t *only,
                               const struct rd_kafka_metadata **found, int ms)
{
    (void)rk, (void)all, (void)only, (void)ms;
    *found = &answer;
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static void leave(const struct rd_kafka_metadata *found)
{
    assert_ptr_equal(found, &answer);
}

static int begin(void **state)
{
    (void)state;
    rdk.rd_kafka_metadata = say;
    rdk.rd_kafka_metadata_destroy = leave;
    return 0;
}

static void partitions_are_those_of_the_topic(void **state)
{
    struct topic_reader r = {0};
    struct fault why;
    int32_t n = 0;

    (void)state;
    assert_true(topic_partitions(&r, "t", 0, &n, &why));
    assert_int_equal(n, 3);
    assert_false(topic_partitions(&r, "none", 0, &n, &why));
    assert_string_equal(why.text, "there is no topic none; make it first");
    assert_int_equal(n, 0);
}

/* The memory of a run is divided by their number. */
static void a_topic_without_partitions_is_refused(void **state)
{
    struct topic_reader r = {0};
    struct fault why;
    int32_t n = 0;

    (void)state;
    topics[1].partition_cnt = 0;
    assert_false(topic_partitions(&r, "t", 0, &n, &why));
    assert_string_equal(why.text, "topic t has no partitions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_are_those_of_the_topic),
        cmocka_unit_test(a_topic_without_partitions_is_refused),
    };

    return cmocka_run_group_tests(tests, begin, NULL);
}
