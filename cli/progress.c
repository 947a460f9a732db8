/*
 * progress.c - one line on stderr while something long runs
 */
#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#define WIPE "\r\033[K"

/* The action is reset on entry, so raising again dies by the signal. */
static void wipe_and_die(int sig)
{
    ssize_t ignored = write(STDERR_FILENO, WIPE, sizeof WIPE - 1);

    (void)ignored;
    raise(sig);
}

void progress_guard(void)
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

void progress_show(const char *format, ...)
{
    va_list ap;

    if (!isatty(STDERR_FILENO))
        return;
    fputs(WIPE, stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fflush(stderr);
}

void progress_clear(void)
{
    progress_show("%s", "");
}
