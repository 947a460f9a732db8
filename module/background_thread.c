/*
 * background_thread.c - threads beside the server's own
 */
#define _GNU_SOURCE /* pthread_sigmask() */
#include "background_thread.h"

#include <pthread.h>
#include <signal.h>

bool background_thread(void *(*run)(void *data), void *data)
{
    sigset_t all, before;
    pthread_t thread;
    bool started;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, NULL, run, data) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        (void)pthread_detach(thread);
    return started;
}
