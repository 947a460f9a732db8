/*
 * progress.h - one line on stderr while something long runs
 *
 * Only where stderr is a terminal; elsewhere all of this does nothing.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

/* From here on a signal that ends the program wipes the line first. */
void progress_guard(void);

void progress_show(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void progress_clear(void);

#endif
