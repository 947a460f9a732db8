/*
 * rdkafka_library.h - librdkafka, loaded when the command kafka begins
 *
 * Its functions are called through the struct rdk, which is filled by
 * rdkafka_load().
 */
#ifndef RDKAFKA_LIBRARY_H
#define RDKAFKA_LIBRARY_H

#include <librdkafka/rdkafka.h>

#include "library.h"

#define RDKAFKA_FUNCTIONS(F)                                                   \
    F(rd_kafka_assign)                                                         \
    F(rd_kafka_assignment_lost)                                                \
    F(rd_kafka_commit)                                                         \
    F(rd_kafka_committed)                                                      \
    F(rd_kafka_conf_destroy)                                                   \
    F(rd_kafka_conf_get)                                                       \
    F(rd_kafka_conf_new)                                                       \
    F(rd_kafka_conf_set)                                                       \
    F(rd_kafka_conf_set_dr_msg_cb)                                             \
    F(rd_kafka_conf_set_error_cb)                                              \
    F(rd_kafka_conf_set_log_cb)                                                \
    F(rd_kafka_conf_set_offset_commit_cb)                                      \
    F(rd_kafka_conf_set_opaque)                                                \
    F(rd_kafka_conf_set_rebalance_cb)                                          \
    F(rd_kafka_conf_set_ssl_cert_verify_cb)                                    \
    F(rd_kafka_consume)                                                        \
    F(rd_kafka_consume_batch)                                                  \
    F(rd_kafka_consume_batch_queue)                                            \
    F(rd_kafka_consume_start)                                                  \
    F(rd_kafka_consume_stop)                                                   \
    F(rd_kafka_consumer_close)                                                 \
    F(rd_kafka_consumer_poll)                                                  \
    F(rd_kafka_destroy)                                                        \
    F(rd_kafka_destroy_flags)                                                  \
    F(rd_kafka_err2str)                                                        \
    F(rd_kafka_error_code)                                                     \
    F(rd_kafka_error_destroy)                                                  \
    F(rd_kafka_error_string)                                                   \
    F(rd_kafka_fatal_error)                                                    \
    F(rd_kafka_flush)                                                          \
    F(rd_kafka_get_watermark_offsets)                                          \
    F(rd_kafka_header_get_all)                                                 \
    F(rd_kafka_header_get_last)                                                \
    F(rd_kafka_headers_copy)                                                   \
    F(rd_kafka_headers_destroy)                                                \
    F(rd_kafka_incremental_assign)                                             \
    F(rd_kafka_incremental_unassign)                                           \
    F(rd_kafka_last_error)                                                     \
    F(rd_kafka_message_destroy)                                                \
    F(rd_kafka_message_headers)                                                \
    F(rd_kafka_message_timestamp)                                              \
    F(rd_kafka_metadata)                                                       \
    F(rd_kafka_metadata_destroy)                                               \
    F(rd_kafka_new)                                                            \
    F(rd_kafka_offsets_for_times)                                              \
    F(rd_kafka_opaque)                                                         \
    F(rd_kafka_outq_len)                                                       \
    F(rd_kafka_poll)                                                           \
    F(rd_kafka_poll_set_consumer)                                              \
    F(rd_kafka_produceva)                                                      \
    F(rd_kafka_purge)                                                          \
    F(rd_kafka_queue_destroy)                                                  \
    F(rd_kafka_queue_get_consumer)                                             \
    F(rd_kafka_rebalance_protocol)                                             \
    F(rd_kafka_subscribe)                                                      \
    F(rd_kafka_topic_destroy)                                                  \
    F(rd_kafka_topic_new)                                                      \
    F(rd_kafka_topic_partition_list_add)                                       \
    F(rd_kafka_topic_partition_list_destroy)                                   \
    F(rd_kafka_topic_partition_list_new)

struct rdkafka {
    RDKAFKA_FUNCTIONS(LIBRARY_POINTER)
};

extern struct rdkafka rdk;

/* Returns false, and which package to install, if it cannot be loaded. */
bool rdkafka_load(struct fault *why);

#endif
