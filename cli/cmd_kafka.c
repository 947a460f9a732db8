/*
 * cmd_kafka.c - freshet kafka: a topic without repeats
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "kafka_report.h"
#include "key_options.h"
#include "listen_option.h"
#include "pool.h"
#include "redis.h"
#include "report_options.h"
#include "signals.h"
#include "stats.h"

struct kafka_args {
    struct kafka_config config;
    struct key_args key;
    int missing, malformed;
    struct goal_args goal;
    struct redis_args remote;
    struct report_args report;
};

#define AT(field) offsetof(struct kafka_args, field)

static const struct option_spec kafka_options[] = {
    {0, "Topics", OPTION_HEADING, 0, NULL, NULL},
    {0, "brokers", OPTION_TEXT, AT(config.brokers), "LIST",
     "brokers to begin with: HOST:PORT,HOST:PORT"},
    {0, "from", OPTION_TEXT, AT(config.from), "TOPIC", "read this topic"},
    {0, "to", OPTION_TEXT, AT(config.to), "TOPIC",
     "produce new messages to this topic"},
    {0, "dup-topic", OPTION_TEXT, AT(config.dup), "TOPIC",
     "also produce repeats to this topic"},
    {0, "group", OPTION_TEXT, AT(config.group), "NAME",
     "share partitions with processes of this group"},
    {'X', "property", OPTION_TEXTS, AT(config.settings), "NAME=VALUE",
     "set a property of librdkafka"},
    {0, "until-end", OPTION_SWITCH, AT(config.until_end), NULL,
     "stop at the end that the topic has at the start"},
    {0, "rebuild", OPTION_CHOICE, AT(config.rebuild), "auto|never",
     "without a state, read the output's keys (auto)"},
    {0, "retry", OPTION_DURATION, AT(config.retry), "TIME",
     "wait this long for brokers or servers (30s)"},

    {0, "Keys", OPTION_HEADING, 0, NULL, NULL},
    {0, "by", OPTION_TEXT, AT(config.by), "PART",
     "compare the value, key or header:NAME (value)"},
    KEY_OPTIONS(struct kafka_args, ""),
    {0, "crlf", OPTION_SWITCH, AT(key.crlf), NULL,
     "ignore a carriage return at the end of a record"},
    {0, "missing", OPTION_CHOICE, AT(missing), "pass|drop|key",
     "what to do with messages that have no key (pass)"},
    {0, "malformed", OPTION_CHOICE, AT(malformed), "pass|drop|fail",
     "what to do with invalid CSV, JSON or times (pass)"},

    {0, "Memory and errors", OPTION_HEADING, 0, NULL, NULL},
    GOAL_MEMORY_OPTIONS(struct kafka_args),
    GOAL_WINDOW_OPTIONS(struct kafka_args),
    TIME_OPTIONS(struct kafka_args, "value"),
    GOAL_ALGORITHM_OPTIONS(struct kafka_args),

    {0, "State", OPTION_HEADING, 0, NULL, NULL},
    {0, "state", OPTION_FILE, AT(config.state), "FOLDER",
     "keep a filter for each partition in FOLDER"},
    {0, "checkpoint", OPTION_DURATION, AT(config.checkpoint), "TIME",
     "save and commit every TIME (10s)"},

    {0, "Shared filters (Redis, Valkey)", OPTION_HEADING, 0, NULL, NULL},
    REDIS_OPTIONS(struct kafka_args),

    {0, "Diagnostics", OPTION_HEADING, 0, NULL, NULL},
    REPORT_OPTIONS(struct kafka_args),
    {0},
};

static int kafka_main(int argc, char **argv);

const struct cli_command cmd_kafka = {
    .name = "kafka",
    .operands = "[OPTION]...",
    .summary = "Copy a topic without its repeats",
    .examples =
        "  freshet kafka --brokers k1:9092 --from raw --to clean --json .id\n"
        "  freshet kafka --brokers k1:9092 --from raw --to clean --state s "
        "--group g\n",
    .options = kafka_options,
    .run = kafka_main,
};

#ifdef FRESHET_HAVE_RDKAFKA

/* ---- Checks ----------------------------------------------------------- */

static int check_topics(const struct kafka_config *c)
{
    if (!c->brokers || !c->from || !c->to)
        return cli_misuse(&cmd_kafka, "give --brokers, --from and --to");
    if (strcmp(c->from, c->to) == 0)
        return cli_misuse(&cmd_kafka, "--from and --to are the same topic: its "
                                      "own output would be read again");
    if (c->dup && (strcmp(c->dup, c->from) == 0 || strcmp(c->dup, c->to) == 0))
        return cli_misuse(&cmd_kafka, "--dup-topic must be a topic of its own");
    return CLI_GO;
}

static int check_time(const struct kafka_args *args)
{
    if (args->key.time && !args->goal.within)
        return cli_misuse(&cmd_kafka, "--time needs --within");
    if (args->key.max_skew && !args->goal.within)
        return cli_misuse(&cmd_kafka, "--max-skew needs --within, the window "
                                      "whose clock it limits");
    if (args->key.time_format && !args->key.time)
        return cli_misuse(&cmd_kafka, "--time-format needs --time, the place "
                                      "of the time");
    if (args->key.time && args->config.by &&
        strcmp(args->config.by, "value") != 0)
        return cli_misuse(&cmd_kafka, "--time reads the value, and --by "
                                      "compares another part of messages; "
                                      "without --time a message's own time "
                                      "counts");
    return CLI_GO;
}

/* What a filter on a server does not do. */
static int check_remote(const struct kafka_args *args)
{
    const struct {
        bool given;
        const char *why;
    } no[] = {
        {args->config.state, "--state saves filters of this process; the "
                             "server saves that of --remote, and the group "
                             "where to go on"},
        {args->config.rebuild != KAFKA_REBUILD_AUTO,
         "--rebuild is for filters of this process; the server keeps that of "
         "--remote"},
        {args->key.max_skew, "--max-skew limits the times of messages, and "
                             "--remote uses the server's clock"},
        {args->key.time,
         "--time cannot be used with --remote, which uses the server's clock"},
    };

    if (!args->remote.url)
        return args->remote.shards || args->remote.on_error
                   ? cli_misuse(&cmd_kafka, "--shards and --on-error need "
                                            "--remote")
                   : CLI_GO;
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (no[i].given)
            return cli_misuse(&cmd_kafka, "%s", no[i].why);
    return CLI_GO;
}

/* Creates the folder of the states if only its last part is missing. */
static int make_folder(const struct kafka_config *c)
{
    struct stat st;

    if (!c->state || mkdir(c->state, 0700) == 0)
        return CLI_GO;
    if (errno != EEXIST || stat(c->state, &st) < 0)
        return cli_fail("%s: %s", c->state, strerror(errno));
    return S_ISDIR(st.st_mode) ? CLI_GO
                               : cli_fail("%s: is a file; --state names a "
                                          "folder",
                                          c->state);
}

static int set_up_keys(struct kafka_args *args)
{
    struct extractor *x = &args->config.extractor;
    struct fault why;
    int status = key_from_args(&x->key, &args->key);

    if (status != CLI_GO)
        return status;
    x->missing = (enum missing)args->missing;
    x->malformed = (enum malformed)args->malformed;
    if (!event_time_create(&x->time, args->key.time, x->key, &why))
        return cli_misuse(&cmd_kafka, "--time: %s", why.text);
    if (args->key.time_format &&
        !event_time_set_format(&x->time, args->key.time_format, &why))
        return cli_misuse(&cmd_kafka, "--time-format: %s", why.text);
    if (args->key.max_skew)
        x->time.max_skew = args->key.max_skew;
    if (extractor_wants_columns(x))
        return cli_misuse(&cmd_kafka, "messages have no header that names "
                                      "columns; give their numbers");
    return CLI_GO;
}

/* ---- The command ------------------------------------------------------ */

static void print_notice(void *context, const char *text)
{
    (void)context;
    cli_fail("%s", text);
}

static void tick(void *context, const struct kafka *k)
{
    kafka_report_tick(context, k);
}

static void end(void *context, const struct kafka *k)
{
    kafka_report_end(context, k);
}

static struct decider *open_remote(void *context, struct fault *why)
{
    const struct kafka_args *args = context;
    struct decider *d = decider_redis(&args->remote, &args->goal, why);

    if (d)
        d->notice = print_notice;
    return d;
}

static int run(struct kafka_args *args)
{
    struct kafka_report report = {.stats = args->report.stats,
                                  .stats_output = args->report.stats_output,
                                  .metrics = args->report.metrics,
                                  .progress = args->report.progress &&
                                              isatty(STDERR_FILENO),
                                  .checkpoint = args->config.checkpoint,
                                  .started = clock_now()};
    struct fault why = {""};
    bool fine;

    if (listen_from_option(&report.server, args->report.listen) != CLI_GO)
        return CLI_TROUBLE;
    args->config.goal = args->goal;
    args->config.host = (struct kafka_host){.notice = print_notice,
                                            .tick = tick,
                                            .end = end,
                                            .context = &report};
    if (args->remote.url) {
        args->remote.retry = args->config.retry;
        args->remote.at_least_once = true;
        args->config.open_shared = open_remote;
        args->config.shared_context = args;
    }
    fine = kafka_run(&args->config, &why);
    metrics_server_close(report.server);
    kafka_snapshot_free(&report.snapshot);
    if (!fine && why.text[0] && !signals_end())
        cli_fail("%s", why.text);
    return fine && !report.trouble ? CLI_OK : CLI_TROUBLE;
}

static int kafka_main(int argc, char **argv)
{
    struct kafka_args args = {.config = {.retry = UINT64_C(30000000000),
                                         .checkpoint = UINT64_C(10000000000)},
                              .key = KEY_ARGS(&cmd_kafka, ""),
                              .goal.prefer = PREFER_NONE};
    int status = cli_parse(&cmd_kafka, &args, &argc, &argv);

    if (status == CLI_GO && argc)
        status = cli_misuse(&cmd_kafka, "kafka takes options only, not '%s'",
                            argv[0]);
    if (status == CLI_GO)
        status = check_topics(&args.config);
    if (status == CLI_GO)
        status = check_time(&args);
    if (status == CLI_GO)
        status = check_remote(&args);
    if (status == CLI_GO)
        status = set_up_keys(&args);
    if (status == CLI_GO)
        status = make_folder(&args.config);
    if (status == CLI_GO) {
        signals_catch();
        status = run(&args);
    }
    extractor_free(&args.config.extractor);
    if (signals_end())
        signals_die(signals_end());
    return status;
}

#else

static int kafka_main(int argc, char **argv)
{
    struct kafka_args args = {.key = KEY_ARGS(&cmd_kafka, "")};
    int status = cli_parse(&cmd_kafka, &args, &argc, &argv);

    return status != CLI_GO
               ? status
               : cli_fail("this freshet was built without librdkafka; install "
                          "librdkafka-dev (Debian) and build it again");
}

#endif
