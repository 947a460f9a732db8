/*
 * message.c - the parts of a message
 */
#include "message.h"

#include <string.h>

bool message_by_read(struct message_by *by, const char *text, struct fault *why)
{
    static const char header[] = "header:";

    *by = (struct message_by){PART_VALUE, NULL};
    if (!text || strcmp(text, "value") == 0)
        return true;
    if (strcmp(text, "key") == 0) {
        by->part = PART_KEY;
        return true;
    }
    if (strncmp(text, header, sizeof header - 1) != 0 ||
        !text[sizeof header - 1])
        return fault_set(why,
                         "--by must be value, key or header:NAME, not '%s'",
                         text);
    by->part = PART_HEADER;
    by->header = text + sizeof header - 1;
    return true;
}

static bool header_part(const rd_kafka_message_t *m, const char *name,
                        struct view *out)
{
    rd_kafka_headers_t *headers;
    const void *value;
    size_t size;

    if (rdk.rd_kafka_message_headers(m, &headers) != 0 ||
        rdk.rd_kafka_header_get_last(headers, name, &value, &size) != 0 ||
        !value)
        return false;
    *out = (struct view){value, size};
    return true;
}

bool message_part(const rd_kafka_message_t *m, const struct message_by *by,
                  struct view *out)
{
    switch (by->part) {
    case PART_VALUE:
        *out = (struct view){m->payload, m->len};
        return m->payload;
    case PART_KEY:
        *out = (struct view){m->key, m->key_len};
        return m->key;
    case PART_HEADER:
        break;
    }
    return header_part(m, by->header, out);
}

uint64_t message_time(const rd_kafka_message_t *m)
{
    rd_kafka_timestamp_type_t type;
    int64_t ms = rdk.rd_kafka_message_timestamp(m, &type);

    if (type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE || ms <= 0)
        return 0;
    return (uint64_t)ms > UINT64_MAX / 1000000 ? UINT64_MAX
                                               : (uint64_t)ms * 1000000;
}

/* ---- Identity --------------------------------------------------------- */

/* Adds a part to those that were hashed before; NULL is not empty. */
static void mix(freshet_hash *sum, const freshet_hasher *hasher,
                const void *part, size_t len)
{
    struct {
        freshet_hash before, part;
        uint64_t is_there;
    } both = {*sum, {0, 0}, part != NULL};

    if (part)
        both.part = freshet_hash_with(hasher, part, len);
    *sum = freshet_hash_with(hasher, &both, sizeof both);
}

freshet_hash message_identity(const rd_kafka_message_t *m,
                              const freshet_hasher *hasher)
{
    freshet_hash sum = {0, 0};
    rd_kafka_headers_t *headers;
    const char *name;
    const void *value;
    size_t size;

    mix(&sum, hasher, m->payload, m->len);
    mix(&sum, hasher, m->key, m->key_len);
    if (rdk.rd_kafka_message_headers(m, &headers) != 0)
        return sum;
    for (size_t i = 0;
         rdk.rd_kafka_header_get_all(headers, i, &name, &value, &size) == 0;
         i++) {
        mix(&sum, hasher, name, strlen(name));
        mix(&sum, hasher, value, size);
    }
    return sum;
}
