/*
 * cmd_lab_report.c - freshet lab report: makes a page of results
 */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "report.h"

static const struct option_spec report_options[] = {{0}};

static int report_run(int argc, char **argv);

const struct cli_command cmd_lab_report = {
    .name = "lab report",
    .operands = "FILE...",
    .summary = "Turn files of results into an HTML page",
    .examples = "  freshet lab reproduce --csv x.csv\n"
                "  freshet lab report x.csv >x.html   needs no network\n",
    .options = report_options,
    .run = report_run,
};

static int read_files(struct results *files, int argc, char **argv)
{
    struct fault why;

    for (int i = 0; i < argc; i++)
        if (!results_read(&files[i], argv[i], &why))
            return cli_fail("%s: %s", argv[i], why.text);
    return CLI_GO;
}

static int report_run(int argc, char **argv)
{
    struct results *files;
    int status = cli_parse(&cmd_lab_report, NULL, &argc, &argv);

    if (status != CLI_GO)
        return status;
    if (argc == 0)
        return cli_misuse(&cmd_lab_report,
                          "give files of results that --csv made");
    files = calloc((size_t)argc, sizeof *files);
    if (!files)
        return cli_fail("out of memory");
    status = read_files(files, argc, argv);
    if (status == CLI_GO && !report_write(stdout, files, (size_t)argc))
        status = cli_fail("out of memory");
    for (int i = 0; i < argc; i++)
        results_close(&files[i]);
    free(files);
    return status == CLI_GO ? cli_finish() : status;
}
