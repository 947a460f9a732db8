/*
 * signals.h - signals that ask for something
 *
 * The first SIGINT, SIGTERM or SIGHUP asks the program to finish what it has
 * decided and end; a second one ends it at once.  SIGUSR1 asks for statistics,
 * SIGUSR2 for a checkpoint.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/* From here on.  Signals that are ignored stay ignored, but for SIGCHLD: a
   child's status must be known. */
void signals_catch(void);

/* A pipe that nobody reads asks for the end, too; the write fails. */
void signals_catch_pipe(void);

/* The one that asked for the end, or 0. */
int signals_end(void);

/* Whether statistics, or a checkpoint, were asked for since the last time. */
bool signals_report(void);
bool signals_checkpoint(void);

/*
 * Wait until fd can be read, a signal comes, or ns have passed; 0: no limit.
 * True if fd can be read.
 */
bool signals_wait(int fd, uint64_t ns);

/* While held they wait; a thread that is begun meanwhile never gets them. */
void signals_hold(bool hold);

/* In a child that must finish its work whatever the terminal says. */
void signals_ignore(void);

/* Die by it, as if it had never been caught. */
void signals_die(int sig);

#endif
