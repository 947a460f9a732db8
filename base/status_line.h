/*
 * status_line.h - a status line on stderr during long operations
 *
 * If stderr is not a terminal, these functions do nothing.
 */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

/* Installs handlers that wipe the line before a signal ends the program. */
void status_line_guard(void);

/* Shows a line in place of the last one. */
void status_line_show(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Shows a bar before the text: `share` of the work took `seconds`, from which
   the remaining time is estimated. */
void status_line_bar(double share, double seconds, const char *text);

/* Wipes the line; to be called before anything else is written to the
   terminal. */
void status_line_clear(void);

#endif
