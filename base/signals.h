/*
 * signals.h - signals that end the program or request a report
 *
 * After the first SIGINT, SIGTERM or SIGHUP the program finishes the records
 * that are decided and ends; a second one ends it at once.  SIGUSR1 requests
 * statistics, SIGUSR2 a checkpoint.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/* Installs the handlers.  Signals that are ignored stay ignored, except
   SIGCHLD, without which the status of a child would be lost. */
void signals_catch(void);

/* Catches SIGPIPE as well: the write fails, and signals_end() returns
   SIGPIPE. */
void signals_catch_pipe(void);

/* Returns the signal that ends the program, or 0. */
int signals_end(void);

/* Return whether statistics, or a checkpoint, were requested since the last
   call. */
bool signals_report(void);
bool signals_checkpoint(void);

/*
 * Waits until fd can be read, a signal comes, or ns nanoseconds have passed; 0
 * is no limit.  Returns whether fd can be read.
 */
bool signals_wait(int fd, uint64_t ns);

/* Blocks or unblocks the signals.  A thread that is created while they are
   blocked never gets them. */
void signals_hold(bool hold);

/* Ignores the signals, in a child that must finish its work. */
void signals_ignore(void);

/* Ends the program by a signal, as if it had never been caught. */
void signals_die(int sig);

#endif
