/*
 * client_settings.c - sets the properties of librdkafka: defaults, those of the
 * user, and those that the crash rule needs
 */
#include "client_settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct property {
    const char *name, *value;
};

/*
 * These bound the memory; the user may change them.  librdkafka before 2.2
 * stops fetching when its queue holds queued.min.messages, and looks again a
 * second later: several responses to fetches must find room.
 */
static const struct property usual[] = {
    {"client.id", "freshet"},
    {"queued.max.messages.kbytes", "32768"},
    {"queued.min.messages", "200000"},
    {"queue.buffering.max.kbytes", "65536"},
    {"queue.buffering.max.messages", "200000"},
    {NULL, NULL},
};

/* Properties with the reason why the user may not change them. */
static const struct {
    const char *name, *why;
} reserved[] = {
    {"bootstrap.servers", "--brokers names them"},
    {"metadata.broker.list", "--brokers names them"},
    {"group.id", "--group names the group"},
    {"acks", "a message counts as written when all replicas have it"},
    {"request.required.acks",
     "a message counts as written when all replicas have it"},
    {"enable.auto.commit", "offsets are committed after their output"},
    {"enable.auto.offset.store", "offsets are committed after their output"},
    {"enable.partition.eof", "freshet needs to know where the end is"},
    {"transactional.id", "freshet uses no transactions"},
    {NULL, NULL},
};

static const struct property reading[] = {
    {"enable.auto.commit", "false"},
    {"enable.auto.offset.store", "false"},
    {"enable.partition.eof", "true"},
    {"auto.offset.reset", "error"},
    {NULL, NULL},
};

static const struct property once[] = {
    {"acks", "all"},
    {"enable.idempotence", "true"},
    {"enable.gapless.guarantee", "true"}, /* a failure stops what follows */
    {NULL, NULL},
};

static const struct property never_again[] = {
    {"acks", "all"},  {"enable.idempotence", "false"},
    {"retries", "0"}, {"max.in.flight.requests.per.connection", "1"},
    {NULL, NULL},
};

static bool set(rd_kafka_conf_t *conf, const char *name, const char *value,
                struct fault *why)
{
    char text[512];

    return rdk.rd_kafka_conf_set(conf, name, value, text, sizeof text) ==
               RD_KAFKA_CONF_OK ||
           fault_set(why, "%s", text);
}

static bool set_all(rd_kafka_conf_t *conf, const struct property *p,
                    struct fault *why)
{
    for (; p->name; p++)
        if (!set(conf, p->name, p->value, why))
            return false;
    return true;
}

/* ---- The user's properties -------------------------------------------- */

/* Returns the value of "name=value" if it has that name, else NULL. */
static const char *value_of(const char *text, const char *name)
{
    size_t len = strlen(name);

    return strncmp(text, name, len) == 0 && text[len] == '=' ? text + len + 1
                                                             : NULL;
}

/* Returns the last value that the user gave a property, or NULL. */
static const char *given(const struct kafka_config *config, const char *name)
{
    const char *value = NULL;

    for (size_t i = 0; i < config->settings.n; i++)
        if (value_of(config->settings.text[i], name))
            value = value_of(config->settings.text[i], name);
    return value;
}

static bool check_reserved(const char *text, struct fault *why)
{
    for (size_t i = 0; reserved[i].name; i++)
        if (value_of(text, reserved[i].name))
            return fault_set(why, "%s cannot be set: %s", reserved[i].name,
                             reserved[i].why);
    return true;
}

static bool set_given(rd_kafka_conf_t *conf, const char *text,
                      struct fault *why)
{
    const char *equals = strchr(text, '=');
    char name[128];

    if (!equals || equals == text || (size_t)(equals - text) >= sizeof name)
        return fault_set(why, "'%s' is not name=value", text);
    if (!check_reserved(text, why))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    return set(conf, name, equals + 1, why);
}

static bool set_users(rd_kafka_conf_t *conf, const struct kafka_config *config,
                      struct fault *why)
{
    struct fault reason;

    for (size_t i = 0; i < config->settings.n; i++)
        if (!set_given(conf, config->settings.text[i], &reason))
            return fault_set(why, "-X: %s", reason.text);
    return true;
}

/* ---- Our properties --------------------------------------------------- */

static long number_of(const rd_kafka_conf_t *conf, const char *name)
{
    char value[64] = "";
    size_t size = sizeof value;

    (void)rdk.rd_kafka_conf_get(conf, name, value, &size);
    return strtol(value, NULL, 10);
}

/*
 * A process that was paused and lost its partitions must not send what it had
 * in its queue after another one has taken over.
 */
static bool set_time_out(rd_kafka_conf_t *conf,
                         const struct kafka_config *config, struct fault *why)
{
    long session = number_of(conf, "session.timeout.ms");
    const char *wanted = given(config, "message.timeout.ms");
    char text[32];

    if (wanted && strtol(wanted, NULL, 10) > 0 &&
        2 * strtol(wanted, NULL, 10) < session)
        return true;
    if (wanted)
        return fault_set(why,
                         "-X: message.timeout.ms=%s is not below half of "
                         "session.timeout.ms=%ld, so that a former owner of a "
                         "partition could write after its successor",
                         wanted, session);
    snprintf(text, sizeof text, "%ld", session * 2 / 5);
    return set(conf, "message.timeout.ms", text, why);
}

uint64_t settings_time_out(const rd_kafka_conf_t *conf)
{
    return (uint64_t)number_of(conf, "message.timeout.ms") * 1000000;
}

static void no_log(const rd_kafka_t *rk, int level, const char *what,
                   const char *text)
{
    (void)rk, (void)level, (void)what, (void)text;
}

static bool set_role(rd_kafka_conf_t *conf, const struct kafka_config *config,
                     enum settings_role role, bool idempotent,
                     struct fault *why)
{
    if (!given(config, "debug"))
        rdk.rd_kafka_conf_set_log_cb(conf, no_log);
    if (role == SETTINGS_PRODUCER)
        return set_time_out(conf, config, why) &&
               set_all(conf, idempotent ? once : never_again, why);
    return set_all(conf, reading, why) &&
           (role == SETTINGS_READER ||
            set(conf, "group.id", config->group ? config->group : "freshet",
                why));
}

rd_kafka_conf_t *settings_make(const struct kafka_config *config,
                               enum settings_role role, bool idempotent,
                               struct fault *why)
{
    rd_kafka_conf_t *conf = rdk.rd_kafka_conf_new();

    if (set_all(conf, usual, why) && set_users(conf, config, why) &&
        set(conf, "bootstrap.servers", config->brokers, why) &&
        set_role(conf, config, role, idempotent, why))
        return conf;
    rdk.rd_kafka_conf_destroy(conf);
    return NULL;
}

/* Responses to larger fetches take the broker half of the processor time.
   Those of all partitions together take a part of the queue that they go to, so
   that it is seldom full: then fetching would stop for a second. */
bool settings_share_fetch(rd_kafka_conf_t *conf,
                          const struct kafka_config *config, int32_t partitions,
                          struct fault *why)
{
    enum { LEAST = 1 << 20, MOST = 2 << 20, ALL = 8 << 20 };
    int32_t share = ALL / partitions;
    char text[32];

    if (given(config, "fetch.message.max.bytes") ||
        given(config, "max.partition.fetch.bytes"))
        return true;
    share = share < LEAST ? LEAST : share > MOST ? MOST : share;
    snprintf(text, sizeof text, "%" PRId32, share);
    return set(conf, "fetch.message.max.bytes", text, why);
}

static bool is_off(const char *value)
{
    return value && (strcmp(value, "false") == 0 || strcmp(value, "f") == 0 ||
                     strcmp(value, "0") == 0);
}

bool settings_are_idempotent(const struct kafka_config *config)
{
    return !is_off(given(config, "api.version.request")) &&
           !is_off(given(config, "enable.idempotence"));
}

bool settings_begin_late(const struct kafka_config *config)
{
    const char *reset = given(config, "auto.offset.reset");

    return reset &&
           (strcmp(reset, "latest") == 0 || strcmp(reset, "largest") == 0 ||
            strcmp(reset, "end") == 0);
}
