/*
 * status_line.h - one line on stderr while something long runs
 *
 * If stderr is not a terminal, these functions do nothing.
 */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

/* Make signals that end the program wipe the line first. */
void status_line_guard(void);

/* Show a line in place of the last one. */
void status_line_show(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Show a bar before the text: `share` of the work took `seconds`, from which
   the time left is estimated. */
void status_line_bar(double share, double seconds, const char *text);

/* Wipe the line; call it before anything else is written to the terminal. */
void status_line_clear(void);

#endif
