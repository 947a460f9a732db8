/*
 * signals.c - signals that ask for something
 */
#define _GNU_SOURCE /* ppoll */
#include "signals.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
enum { DEADLY = sizeof deadly / sizeof *deadly };

/* The program's only variables that are not somebody's. */
static volatile sig_atomic_t ending, reporting;

static void note(int sig)
{
    if (sig == SIGUSR1)
        reporting = 1;
    else
        ending = sig;
}

void signals_catch(void)
{
    struct sigaction act = {.sa_handler = note}, old;

    /* A question interrupts nothing; the end does, and is not caught twice. */
    sigemptyset(&act.sa_mask);
    act.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &act, NULL);
    act.sa_flags = (int)SA_RESETHAND;
    for (size_t i = 0; i < DEADLY; i++)
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(deadly[i], &act, NULL);
}

int signals_end(void)
{
    return ending;
}

bool signals_report(void)
{
    bool asked = reporting;

    reporting = 0;
    return asked;
}

static sigset_t ours(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    for (size_t i = 0; i < DEADLY; i++)
        sigaddset(&set, deadly[i]);
    return set;
}

void signals_hold(bool hold)
{
    sigset_t set = ours();

    pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

bool signals_wait(int fd, uint64_t ns)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    struct timespec limit = {(time_t)(ns / 1000000000),
                             (long)(ns % 1000000000)};
    sigset_t set = ours(), before;
    int n = 0;

    /* Blocked from the look at the flags until the wait has begun. */
    pthread_sigmask(SIG_BLOCK, &set, &before);
    if (!ending && !reporting)
        n = ppoll(&ready, 1, ns ? &limit : NULL, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n > 0;
}

void signals_ignore(void)
{
    for (size_t i = 0; i < DEADLY; i++)
        signal(deadly[i], SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
}

void signals_die(int sig)
{
    signal(sig, SIG_DFL);
    raise(sig);
}
