/*
 * cmd_gen.c - freshet gen: write a synthetic stream
 *
 * The kinds of streams and their parameters are in gen/.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "gen.h"
#include "params.h"
#include "sink.h"
#include "truth.h"

static int gen_run(int argc, char **argv);

const struct cli_command cmd_gen = {
    .name = "gen",
    .operands = "[OPTION]... KIND[:NAME=VALUE,...]",
    .summary = "Generate a stream of test records",
    .examples =
        "  freshet gen --list                             kinds of streams\n"
        "  freshet gen uniform -n 1e6 --distinct 15%      keys, one per line\n"
        "  freshet gen uniform:n=1e6,distinct=15%         the same\n",
    .options = gen_options,
    .run = gen_run,
};

enum {
    BATCH = 512, /* records made at a time */
    ROOM = BATCH * GEN_TEXT * 4
};

/* Records that are not written yet. */
struct writer {
    const struct gen_args *args;
    struct gen *gen;
    struct truth truth;
    struct sink sink;
    size_t used; /* bytes used of out */
    char out[ROOM];
};

static int list_kinds(void)
{
    for (size_t i = 0; gen_kind_name(i); i++)
        printf("%-8s  %s\n          records seed%s%s\n", gen_kind_name(i),
               gen_kind_summary(i), *gen_kind_takes(i) ? " " : "",
               gen_kind_takes(i));
    return cli_finish();
}

static int write_out(struct writer *w)
{
    size_t used = w->used;

    w->used = 0;
    return sink_write(&w->sink, w->out, used);
}

static void put_number(struct writer *w, uint64_t number)
{
    number = htole64(number);
    memcpy(w->out + w->used, &number, sizeof number);
    w->used += sizeof number;
}

static void put_numbers(struct writer *w, const uint64_t *key,
                        const uint8_t *repeat, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (repeat)
            put_number(w, repeat[i]);
        put_number(w, key[i]);
    }
}

static int write_all(struct writer *w)
{
    uint64_t key[BATCH];
    uint8_t room[BATCH], *repeat = w->args->truth ? room : NULL;

    for (;;) {
        size_t n = repeat ? truth_next(&w->truth, key, repeat, BATCH)
                          : gen_next(w->gen, key, NULL, BATCH);

        if (n == 0)
            return write_out(w);
        if (ROOM - w->used < BATCH * GEN_TEXT && write_out(w) < 0)
            return -1;
        if (w->args->binary)
            put_numbers(w, key, repeat, n);
        else
            w->used += gen_texts(w->gen, w->out + w->used, key, repeat, n);
    }
}

/* Writes the stream.  The generator belongs to the caller. */
static int write_stream(struct gen *g, const struct gen_args *args)
{
    static struct writer w;
    struct fault why;
    int status = CLI_OK;

    w = (struct writer){.args = args, .gen = g};
    if (args->truth && truth_open(&w.truth, g, &why) < 0)
        return cli_fail("%s", why.text);
    sink_init(&w.sink, STDOUT_FILENO, "standard output");
    if (write_all(&w) < 0)
        status = cli_fail("%s: %s", w.sink.name, strerror(errno));
    truth_close(&w.truth);
    return status;
}

static int refuse_operands(int argc, char **argv)
{
    if (argc == 0)
        return cli_misuse(&cmd_gen, "give a kind of stream; --list shows all");
    if (strchr(argv[1], '='))
        return cli_misuse(&cmd_gen,
                          "a parameter follows its kind after a colon: '%s:%s'",
                          argv[0], argv[1]);
    return cli_misuse(&cmd_gen, "give one kind of stream, not also '%s'",
                      argv[1]);
}

static int gen_run(int argc, char **argv)
{
    struct gen_args args = {.params = gen_unset};
    struct fault why;
    struct gen *g;
    int status = cli_parse(&cmd_gen, &args, &argc, &argv);

    if (status != CLI_GO)
        return status;
    if (args.list)
        return list_kinds();
    if (argc != 1)
        return refuse_operands(argc, argv);
    args.params.text = !args.binary;
    if (gen_open_params(&g, argv[0], &args.params, &why) < 0)
        return cli_fail("%s", why.text);
    if (args.binary && gen_is_text(g))
        status = cli_fail("%s records are lines of text: leave out --binary",
                          argv[0]);
    else
        status = write_stream(g, &args);
    gen_free(g);
    return status;
}
