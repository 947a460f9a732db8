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

/* Begin to catch these signals.  Signals that are ignored stay ignored, except
   SIGCHLD, without which the status of a child would be lost. */
void signals_catch(void);

/* Catch SIGPIPE as well: the write fails, and signals_end() returns it. */
void signals_catch_pipe(void);

/* Returns the signal that asked the program to end, or 0. */
int signals_end(void);

/* Returns whether statistics, or a checkpoint, were asked for since the last
   call. */
bool signals_report(void);
bool signals_checkpoint(void);

/*
 * Wait until fd can be read, a signal comes, or ns nanoseconds have passed; 0
 * is no limit.  Returns whether fd can be read.
 */
bool signals_wait(int fd, uint64_t ns);

/* Block the signals, or let them come.  A thread that is created while they are
   blocked never gets them. */
void signals_hold(bool hold);

/* Ignore the signals, in a child that must finish its work. */
void signals_ignore(void);

/* End the program by a signal, as if it had never been caught. */
void signals_die(int sig);

#endif
