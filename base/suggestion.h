/*
 * suggestion.h - finds the word nearest to a misspelt one: "did you mean
 * --state?"
 */
#ifndef SUGGESTION_H
#define SUGGESTION_H

#include <stddef.h>

struct suggestion {
    const char *wanted;
    size_t length;
    const char *best; /* NULL: no candidate is near */
    size_t best_length;
    unsigned distance; /* limit for the next candidate */
};

/* Begins a search for the candidate that is nearest to a word. */
void suggestion_begin(struct suggestion *s, const char *wanted, size_t length);

/* Offers one candidate, or each word of "pass|drop|key".  The text must outlive
   the search. */
void suggestion_offer(struct suggestion *s, const char *word, size_t length);
void suggestion_offer_words(struct suggestion *s, const char *words);

/* Returns "; did you mean PREFIXword?", or "" if no candidate was near. */
enum { SUGGESTION_TEXT = 80 };
const char *suggestion_text(char out[SUGGESTION_TEXT],
                            const struct suggestion *s, const char *prefix);

#endif
