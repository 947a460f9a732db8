/*
 * filter_progress.c - the progress of a run: --progress
 */
#include "filter_progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input_size.h"
#include "number.h"
#include "status_line.h"

/* A shorter run shows no progress; more frequent updates could not be read. */
#define FIRST UINT64_C(500000000) /* ns */
#define EVERY UINT64_C(200000000)

void filter_progress_begin(struct filter_progress *b, const struct output *o,
                           int n, char **files, uint64_t now)
{
    b->wanted = b->wanted && isatty(STDERR_FILENO) &&
                (!o->mode->shows || !isatty(o->out.fd)) &&
                (o->dup.fd < 0 || !isatty(o->dup.fd));
    b->due = now + FIRST;
    for (int i = 0; b->wanted && i < n; i++) {
        uint64_t size = input_size(files[i]);

        if (size == INPUT_SIZE_UNKNOWN) {
            b->total = 0;
            return;
        }
        b->total += size;
    }
}

void filter_progress_pass(struct filter_progress *b, const char *file)
{
    if (b->wanted && b->total && strcmp(file, "-") != 0)
        b->past += input_size(file);
}

/* Returns how many bytes of the files have been read, before decompression. */
static uint64_t bytes_done(const struct filter_progress *b, uint64_t taken)
{
    uint64_t done = b->past + taken;

    return done > b->total ? b->total : done; /* the file grew while it was
                                                 read */
}

/* Writes ", 512 MB/s, 2.1M records/s, 34% new", in decompressed bytes. */
static void put_rates(char *out, size_t size, const struct engine_counts *c,
                      double seconds)
{
    double speed = (double)c->bytes_read / seconds / 1e6;
    uint64_t records = counts_of(c, VERDICTS_ALL);
    uint64_t compared = counts_of(c, VERDICTS_COMPARED);
    char rate[NUMBER_TEXT];
    int n;

    number_text(rate, (double)records / seconds);
    n = snprintf(out, size, ", %.*f MB/s, %s records/s", speed < 100, speed,
                 rate);
    if (compared && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", %.0f%% new",
                 100 * (double)c->verdict[VERDICT_NEW] / (double)compared);
}

void filter_progress_show(struct filter_progress *b, const struct engine *e,
                          uint64_t taken, uint64_t started, uint64_t now)
{
    double seconds = (double)(now - started) / 1e9;
    char size[NUMBER_TEXT], total[NUMBER_TEXT], rates[64], text[96];

    b->due = now + EVERY;
    put_rates(rates, sizeof rates, engine_counts(e), seconds);
    if (b->total) {
        uint64_t done = bytes_done(b, taken);

        snprintf(text, sizeof text, "%sB of %sB%s",
                 number_text(size, (double)done),
                 number_text(total, (double)b->total), rates);
        status_line_bar((double)done / (double)b->total, seconds, text);
    } else {
        number_text(size, (double)engine_counts(e)->bytes_read);
        status_line_show("%sB read%s", size, rates);
    }
}
