/*
 * cmd_info.c - freshet info: describe a saved filter
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "duration.h"
#include "freshet.h"
#include "json_writer.h"
#include "size.h"
#include "snapshot.h"
#include "stability.h"

struct info_args {
    bool json;
};

static const struct option_spec info_options[] = {
    {'j', "json", OPTION_SWITCH, offsetof(struct info_args, json), NULL,
     "print one JSON object"},
    {0},
};

static int info_run(int argc, char **argv);

const struct cli_command cmd_info = {
    .name = "info",
    .operands = "[OPTION]... FILE",
    .summary = "Describe a saved filter",
    .examples = "  freshet info seen.state      what --state saved\n"
                "  freshet info -j seen.state   the same, for programs\n",
    .options = info_options,
    .run = info_run,
};

static void print_window(const freshet_info *i)
{
    char text[DURATION_TEXT];

    if (i->window)
        printf("%-13s the last %" PRIu64 " records\n", "window", i->window);
    if (i->within)
        printf("%-13s %s\n", "window", duration_text(text, i->within));
}

/* Prints what a key is, as far as the file says it. */
static void print_notes(const struct key_note *notes)
{
    for (int i = 0; i < NOTE_KINDS; i++) {
        struct view line = key_note_line(notes, (enum note)i);

        if (line.at)
            printf("%-13s %.*s\n", key_note_name((enum note)i), (int)line.len,
                   line.at);
    }
}

/* Returns the number of keys printed by -d, each counted once. */
static uint64_t shown_keys(const struct snapshot *file)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(file->repeated, &info);
    return info.fresh;
}

static void print_text(const struct snapshot *file, const freshet_info *i)
{
    struct stability stability;
    char size[SIZE_TEXT];

    printf("%-13s %s\n", "algorithm", i->algorithm);
    printf("%-13s %s\n", "parameters", i->params);
    printf("%-13s %s\n", "memory", size_text(size, i->memory));
    printf("%-13s %" PRIu64 "\n", "offered", i->offered);
    printf("%-13s %" PRIu64 "\n", "new", i->fresh);
    printf("%-13s %" PRIu64 "\n", "repeats", i->offered - i->fresh);
    printf("%-13s %.3g%% of %" PRIu64 "\n", "used",
           i->slots ? 100 * (double)i->used / (double)i->slots : 0, i->slots);
    if (i->forgotten != FRESHET_UNKNOWN)
        printf("%-13s %" PRIu64 "\n", "forgotten", i->forgotten);
    print_window(i);
    if (i->expect)
        printf("%-13s %" PRIu64 " distinct keys\n", "expected", i->expect);
    printf("%-13s %g of new records wanted", "false drops", i->wanted);
    if (!isnan(i->false_drop))
        printf(", %.2g now", i->false_drop);
    printf("%s\n", i->over_plan ? ": more keys than planned" : "");
    if (stability_of_filter(&stability, file->filter))
        stability_print(&stability, "settles");
    printf("%-13s %" PRIu64 ", %s\n", "seed", i->seed, i->hash);
    if (file->repeated)
        printf("%-13s %" PRIu64 " repeated keys, by -d\n", "shown",
               shown_keys(file));
    print_notes(&file->notes);
}

static void json_notes(struct json *j, const struct key_note *notes)
{
    char text[KEY_NOTE_MOST + 1];

    for (int i = 0; i < NOTE_KINDS; i++) {
        struct view line = key_note_line(notes, (enum note)i);

        if (!line.at)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)line.len, line.at);
        json_text(j, key_note_name((enum note)i), text);
    }
}

static void print_json(const struct snapshot *file, const freshet_info *i)
{
    struct stability stability;
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "algorithm", i->algorithm);
    json_text(&j, "params", i->params);
    json_count(&j, "memory", i->memory);
    json_count(&j, "offered", i->offered);
    json_count(&j, "new", i->fresh);
    json_count(&j, "slots", i->slots);
    json_count(&j, "used", i->used);
    if (i->forgotten != FRESHET_UNKNOWN)
        json_count(&j, "forgotten", i->forgotten);
    json_count(&j, "last", i->window);
    json_count(&j, "within_ns", i->within);
    json_count(&j, "now_ns", i->now);
    json_count(&j, "expect", i->expect);
    json_real(&j, "wanted", i->wanted);
    json_real(&j, "false_drop", i->false_drop);
    json_bool(&j, "over_plan", i->over_plan);
    if (stability_of_filter(&stability, file->filter))
        stability_json(&stability, &j);
    json_count(&j, "seed", i->seed);
    json_text(&j, "hash", i->hash);
    json_notes(&j, &file->notes);
    if (file->repeated)
        json_count(&j, "shown", shown_keys(file));
    json_end(&j, '}');
    putchar('\n');
}

static int info_run(int argc, char **argv)
{
    struct info_args args = {0};
    freshet_info info = {.size = sizeof info};
    struct fault why;
    struct snapshot file;
    int status = cli_parse(&cmd_info, &args, &argc, &argv);

    if (status != CLI_GO)
        return status;
    if (argc != 1)
        return cli_misuse(&cmd_info, "give one FILE that --state has saved");
    if (snapshot_load(&file, argv[0], &why) != SNAPSHOT_LOADED)
        return cli_fail("%s: %s", argv[0], why.text);
    freshet_get_info(file.filter, &info);
    if (args.json)
        print_json(&file, &info);
    else
        print_text(&file, &info);
    snapshot_free(&file);
    return cli_finish();
}
