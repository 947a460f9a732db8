/*
 * generate.h - man page and completions out of the option tables
 *
 * What is printed here is committed; tests/generated.sh fails when it is
 * stale.
 */
#ifndef GENERATE_H
#define GENERATE_H

/* The words of --generate, in this order. */
#define GENERATE_WORDS "man|bash|zsh|fish"

/* Print the one with that number.  A status to exit with. */
int generate(int which);

/* generate_man.c's part of it. */
void generate_man(void);

#endif
