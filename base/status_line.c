/*
 * status_line.c - a status line on stderr during long operations
 */
#include "status_line.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIPE "\r\033[K"

/* Whether the terminal shows a status line.  There is one terminal, so this may
   be a global variable. */
static bool shown;

/* The action is reset on entry, so raising the signal again ends the
   program. */
static void wipe_and_die(int sig)
{
    ssize_t ignored = write(STDERR_FILENO, WIPE, sizeof WIPE - 1);

    (void)ignored;
    raise(sig);
}

void status_line_guard(void)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction wipe = {.sa_handler = wipe_and_die};
    struct sigaction old;

    if (!isatty(STDERR_FILENO))
        return;
    wipe.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&wipe.sa_mask);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(deadly[i], &wipe, NULL);
}

static int columns(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

/* A line that is wider than the terminal is cut off, since its second line
   would not be wiped. */
void status_line_show(const char *format, ...)
{
    char line[256];
    va_list ap;

    if (!isatty(STDERR_FILENO))
        return;
    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    fprintf(stderr, WIPE "%.*s", columns() - 1, line);
    fflush(stderr);
    shown = true;
}

/* Shows "[=====>     ]  45% 1:02:03 left, 1.2G read" in the width of the
   terminal. */
void status_line_bar(double share, double seconds, const char *text)
{
    static const char done[] = "==============================";
    enum { LONGEST = sizeof done - 1 };
    static int widest; /* widest text so far: the bar shrinks, but does not
                          flicker */
    char rest[160], left[32] = "";
    int width, n;

    if (share > 0 && share < 1 && seconds * (1 - share) / share < 1e6) {
        unsigned s = (unsigned)(seconds * (1 - share) / share);

        snprintf(left, sizeof left, " %u:%02u:%02u left,", s / 3600,
                 s / 60 % 60, s % 60);
    }
    n = snprintf(rest, sizeof rest, "%3.0f%%%s %s", 100 * share, left, text);
    if (n > widest)
        widest = n;
    width = columns() - widest - 5; /* brackets, the arrow, two blanks */
    width = width > LONGEST ? LONGEST : width;
    if (width < 5) {
        status_line_show("%s", rest);
        return;
    }
    n = (int)(share * width);
    status_line_show("[%.*s>%*s] %s", n, done, width - n, "", rest);
}

void status_line_clear(void)
{
    if (shown)
        status_line_show("%s", "");
    shown = false;
}
