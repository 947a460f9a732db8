/*
 * status_line.h - one line on stderr while something long runs
 *
 * Only where stderr is a terminal; elsewhere all of this does nothing.
 */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

/* From here on a signal that ends the program wipes the line first. */
void status_line_guard(void);

void status_line_show(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* The same with a bar: this share is done after so many seconds. */
void status_line_bar(double share, double seconds, const char *text);

/* Before anything else is written to a terminal. */
void status_line_clear(void);

#endif
