/*
 * completions.h - man pages and completions out of the tables
 *
 * What is printed here is committed; tests/generated.sh fails when it is
 * stale.
 */
#ifndef COMPLETIONS_H
#define COMPLETIONS_H

/* The words of --generate, in this order. */
#define GENERATE_WORDS "man|man7|bash|zsh|fish"

/* Print the one with that number.  A status to exit with. */
int generate(int which);

/* The parts of it that other files have. */
void generate_man(void);
void generate_man7(void);
void generate_examples(void);
void generate_notes(void);
void generate_remote(void);

/* Text that mdoc must not read as anything else. */
void put_text(const char *text);

#endif
