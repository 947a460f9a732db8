/*
 * filter_progress.c - how far the filter is: --progress
 */
#include "filter_progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "size.h"
#include "status_line.h"

/* What is over sooner needs no bar; more often is more than eyes take in. */
#define FIRST UINT64_C(500000000) /* ns */
#define EVERY UINT64_C(200000000)

#define UNKNOWN UINT64_MAX

/* What cannot be read has no bytes; it is complained of in its turn. */
static uint64_t size_of(const char *file)
{
    bool standard = strcmp(file, "-") == 0;
    struct stat st;
    off_t at = 0;

    if ((standard ? fstat(STDIN_FILENO, &st) : stat(file, &st)) < 0 ||
        S_ISDIR(st.st_mode))
        return 0;
    if (!S_ISREG(st.st_mode))
        return UNKNOWN;
    if (standard)
        at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    return at < 0 || at > st.st_size ? 0 : (uint64_t)(st.st_size - at);
}

void filter_progress_begin(struct filter_progress *b, const struct pipeline *p,
                           int n, char **files, uint64_t now)
{
    b->wanted = b->wanted && isatty(STDERR_FILENO) &&
                (!p->mode->shows || !isatty(p->out.fd)) &&
                (p->dup.fd < 0 || !isatty(p->dup.fd));
    b->due = now + FIRST;
    for (int i = 0; b->wanted && i < n; i++) {
        uint64_t size = size_of(files[i]);

        if (size == UNKNOWN) {
            b->total = 0;
            return;
        }
        b->total += size;
    }
}

void filter_progress_pass(struct filter_progress *b, const char *file)
{
    if (b->wanted && b->total && strcmp(file, "-") != 0)
        b->past += size_of(file);
}

static double share_of(const struct filter_progress *b,
                       const struct pipeline *p)
{
    double share = (double)(b->past + reader_taken(&p->in)) / (double)b->total;

    return share > 1 ? 1 : share; /* it grew while we read */
}

void filter_progress_show(struct filter_progress *b, const struct pipeline *p,
                          uint64_t started, uint64_t now)
{
    double seconds = (double)(now - started) / 1e9;
    char size[SIZE_TEXT], rate[SIZE_TEXT], text[64];
    uint64_t bytes = p->counts.bytes_read;

    b->due = now + EVERY;
    size_text(size, bytes);
    size_text(rate, (uint64_t)((double)bytes / seconds));
    snprintf(text, sizeof text, "%s read, %s/s", size, rate);
    if (b->total)
        status_line_bar(share_of(b, p), seconds, text);
    else
        status_line_show("%s", text);
}
