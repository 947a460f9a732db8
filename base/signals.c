/*
 * signals.c - signals that end the program or request a report
 */
#define _GNU_SOURCE /* ppoll */
#include "signals.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
static const int asking[] = {SIGUSR1, SIGUSR2};
enum {
    DEADLY = sizeof deadly / sizeof *deadly,
    ASKING = sizeof asking / sizeof *asking
};

/* Variables that the signal handlers set. */
static volatile sig_atomic_t ending, reporting, saving;

static void note(int sig)
{
    if (sig == SIGUSR1)
        reporting = 1;
    else if (sig == SIGUSR2)
        saving = 1;
    else
        ending = sig;
}

static void catch_unless_ignored(int sig, int flags)
{
    struct sigaction act = {.sa_handler = note, .sa_flags = flags}, old;

    sigemptyset(&act.sa_mask);
    if (sigaction(sig, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(sig, &act, NULL);
}

void signals_catch_pipe(void)
{
    catch_unless_ignored(SIGPIPE, 0);
}

void signals_catch(void)
{
    struct sigaction act = {.sa_handler = note};

    /* Only signals that end the program interrupt system calls, and they are
       caught only once. */
    sigemptyset(&act.sa_mask);
    /* If the parent ignored it, the status of a child would be lost. */
    signal(SIGCHLD, SIG_DFL);
    act.sa_flags = SA_RESTART;
    for (size_t i = 0; i < ASKING; i++)
        sigaction(asking[i], &act, NULL);
    for (size_t i = 0; i < DEADLY; i++)
        catch_unless_ignored(deadly[i], (int)SA_RESETHAND);
}

int signals_end(void)
{
    return ending;
}

static bool take(volatile sig_atomic_t *flag)
{
    bool asked = *flag;

    *flag = 0;
    return asked;
}

bool signals_report(void)
{
    return take(&reporting);
}

bool signals_checkpoint(void)
{
    return take(&saving);
}

static sigset_t ours(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < ASKING; i++)
        sigaddset(&set, asking[i]);
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

    /* Signals are blocked from the test of the flags until the wait begins. */
    pthread_sigmask(SIG_BLOCK, &set, &before);
    if (!ending && !reporting && !saving)
        n = ppoll(&ready, 1, ns ? &limit : NULL, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n > 0;
}

void signals_ignore(void)
{
    for (size_t i = 0; i < DEADLY; i++)
        signal(deadly[i], SIG_IGN);
    for (size_t i = 0; i < ASKING; i++)
        signal(asking[i], SIG_IGN);
}

void signals_die(int sig)
{
    signal(sig, SIG_DFL);
    raise(sig);
}
