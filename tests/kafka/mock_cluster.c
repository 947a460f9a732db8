/*
 * mock_cluster.c - brokers for the tests: librdkafka's own, in this process
 *
 *     mock_cluster BROKERS
 *
 * prints the brokers' addresses, then obeys the lines of standard input, with
 * "ok" or a reason for each, and ends with it:
 *
 *     topic NAME PARTITIONS     make a topic
 *     down BROKER               a broker (1, 2 ...) goes away
 *     up BROKER                 and comes back
 *     rtt BROKER MS             its answers take that long
 *     error API CODE TIMES      the next requests of that kind fail
 */
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <stdlib.h>

static void quiet(const rd_kafka_t *rk, int level, const char *what,
                  const char *text)
{
    (void)rk, (void)level, (void)what, (void)text;
}

static rd_kafka_t *make_client(void)
{
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    char text[256];

    rd_kafka_conf_set_log_cb(conf, quiet);
    return rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof text);
}

static rd_kafka_resp_err_t fail_requests(rd_kafka_mock_cluster_t *cluster,
                                         int api, int code, int times)
{
    rd_kafka_resp_err_t *errors = calloc((size_t)times, sizeof *errors);

    for (int i = 0; errors && i < times; i++)
        errors[i] = (rd_kafka_resp_err_t)code;
    if (errors)
        rd_kafka_mock_push_request_errors_array(cluster, (int16_t)api,
                                                (size_t)times, errors);
    free(errors);
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static rd_kafka_resp_err_t obey(rd_kafka_mock_cluster_t *cluster,
                                const char *line)
{
    char name[256];
    int a, b, c;

    if (sscanf(line, "topic %255s %d", name, &a) == 2)
        return rd_kafka_mock_topic_create(cluster, name, a, 1);
    if (sscanf(line, "down %d", &a) == 1)
        return rd_kafka_mock_broker_set_down(cluster, a);
    if (sscanf(line, "up %d", &a) == 1)
        return rd_kafka_mock_broker_set_up(cluster, a);
    if (sscanf(line, "rtt %d %d", &a, &b) == 2)
        return rd_kafka_mock_broker_set_rtt(cluster, a, b);
    if (sscanf(line, "error %d %d %d", &a, &b, &c) == 3 && c > 0)
        return fail_requests(cluster, a, b, c);
    return RD_KAFKA_RESP_ERR__INVALID_ARG;
}

int main(int argc, char **argv)
{
    rd_kafka_t *rk = make_client();
    rd_kafka_mock_cluster_t *cluster =
        rk ? rd_kafka_mock_cluster_new(rk, argc > 1 ? atoi(argv[1]) : 1) : NULL;
    char line[512];

    if (!cluster)
        return 2;
    printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        rd_kafka_resp_err_t err = obey(cluster, line);

        printf("%s\n", err ? rd_kafka_err2str(err) : "ok");
        fflush(stdout);
    }
    rd_kafka_mock_cluster_destroy(cluster);
    rd_kafka_destroy(rk);
    return 0;
}
