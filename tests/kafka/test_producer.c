/*
 * test_producer.c - messages are sent soon after they were fetched, or not at
 * all
 */
#include "producer.h"

#include "check.h"
#include "clock.h"

static int sent;

static rd_kafka_error_t *count(rd_kafka_t *rk, const rd_kafka_vu_t *part,
                               size_t n)
{
    (void)rk, (void)part, (void)n;
    sent++;
    return NULL;
}

static rd_kafka_resp_err_t no_headers(const rd_kafka_message_t *m,
                                      rd_kafka_headers_t **headers)
{
    (void)m, (void)headers;
    return RD_KAFKA_RESP_ERR__NOENT;
}

static int64_t no_time(const rd_kafka_message_t *m,
                       rd_kafka_timestamp_type_t *type)
{
    (void)m;
    *type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    return -1;
}

static int begin(void **state)
{
    (void)state;
    sent = 0;
    rdk.rd_kafka_produceva = count;
    rdk.rd_kafka_message_headers = no_headers;
    rdk.rd_kafka_message_timestamp = no_time;
    return 0;
}

static void a_message_is_sent_within_the_time_out(void **state)
{
    struct producer p = {.time_out = UINT64_C(3600000000000)};
    rd_kafka_message_t m = {.partition = 3};
    struct arrivals arrivals = {0};

    (void)state;
    producer_begin(&p);
    assert_true(producer_send(&p, NULL, &m, &arrivals));
    assert_int_equal(sent, 1);
}

/* As in a process that was paused after it had fetched the message. */
static void a_message_is_not_sent_after_the_time_out(void **state)
{
    struct producer p = {.time_out = UINT64_C(2000000000)};
    rd_kafka_message_t m = {.partition = 3};
    struct arrivals arrivals = {0};

    (void)state;
    producer_begin(&p);
    p.send_until = clock_now() - 1;
    assert_false(producer_send(&p, NULL, &m, &arrivals));
    assert_int_equal(sent, 0);
    assert_int_equal(p.failure, PRODUCER_FAILED);
    assert_string_equal(p.why.text,
                        "partition 3: a message was fetched more than 2s ago, "
                        "and another process may have sent it");
}

static void without_a_group_a_message_is_always_sent(void **state)
{
    struct producer p = {0};
    rd_kafka_message_t m = {.partition = 3};
    struct arrivals arrivals = {0};

    (void)state;
    assert_true(producer_send(&p, NULL, &m, &arrivals));
    assert_int_equal(sent, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_message_is_sent_within_the_time_out, begin),
        cmocka_unit_test_setup(a_message_is_not_sent_after_the_time_out, begin),
        cmocka_unit_test_setup(without_a_group_a_message_is_always_sent, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
