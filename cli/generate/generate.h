/*
 * generate.h - generates man pages and completions from the option tables
 *
 * The results are committed; tests/generated.sh fails when one is stale.
 */
#ifndef GENERATE_H
#define GENERATE_H

#include <stdbool.h>

/* The words of --generate, in the order of their numbers for generate(). */
#define GENERATE_WORDS "man|bash|zsh|fish"

/*
 * Prints what the word with that number names.  "man" copies a template from
 * standard input and replaces each line @TABLE@ by that table.  Returns the
 * status to exit with.
 */
int generate(int which);

/* Completions, one function per shell. */
void generate_bash(void);
void generate_zsh(void);
void generate_fish(void);

/* The tables of man pages. */
void man_synopsis(void);
void man_kafka(void);
void man_kafka_figures(void);
void man_options(void);
void man_commands(void);
void man_figures(void);
void man_examples(void);
void man_abilities(void);
void man_algorithms(void);

/* Prints text and escapes what mdoc would interpret. */
void man_text(const char *text);

#endif
