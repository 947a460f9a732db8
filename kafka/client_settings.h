/*
 * client_settings.h - sets the properties of librdkafka: defaults, those of the
 * user, and those that the crash rule needs
 */
#ifndef CLIENT_SETTINGS_H
#define CLIENT_SETTINGS_H

#include "kafka.h"
#include "rdkafka_library.h"

enum settings_role { SETTINGS_READER, SETTINGS_CONSUMER, SETTINGS_PRODUCER };

/* Returns NULL and sets *why if a property is refused.  A producer is
   idempotent unless the brokers are known to be too old. */
rd_kafka_conf_t *settings_make(const struct kafka_config *config,
                               enum settings_role role, bool idempotent,
                               struct fault *why);

/* Sets how much of each of these partitions a consumer fetches at a time,
   unless the user has set it. */
bool settings_share_fetch(rd_kafka_conf_t *conf,
                          const struct kafka_config *config, int32_t partitions,
                          struct fault *why);

/* Returns whether the producer may be idempotent: nothing says that brokers are
   older than Kafka 0.11, or that the user does not want it. */
bool settings_are_idempotent(const struct kafka_config *config);

/* Returns whether a partition without a saved or committed offset is read from
   its end instead of its beginning: the user's auto.offset.reset. */
bool settings_begin_late(const struct kafka_config *config);

/* Returns the property message.timeout.ms of a producer, in nanoseconds. */
uint64_t settings_time_out(const rd_kafka_conf_t *conf);

#endif
