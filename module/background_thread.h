/*
 * background_thread.h - threads beside the server's own
 */
#ifndef BACKGROUND_THREAD_H
#define BACKGROUND_THREAD_H

#include <stdbool.h>

/* Starts a detached thread.  All signals are blocked in it: the server's own
   threads handle them.  Returns false if the thread cannot be started. */
bool background_thread(void *(*run)(void *data), void *data);

#endif
