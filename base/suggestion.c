/*
 * suggestion.c - finds the word nearest to a misspelt one: "did you mean
 * --state?"
 */
#include "suggestion.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 }; /* longer words are not compared */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/*
 * Returns the number of characters to insert, remove, replace or swap with a
 * neighbour to turn a into b (optimal string alignment).  Row i holds the
 * distances of a's first i characters from each prefix of b.
 */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
    unsigned row[LONGEST + 1][LONGEST + 1];

    for (size_t j = 0; j <= m; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        row[i][0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            best = least(best, row[i - 1][j] + 1);
            best = least(best, row[i][j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, row[i - 2][j - 2] + 1);
            row[i][j] = best;
        }
    }
    return row[n][m];
}

void suggestion_begin(struct suggestion *s, const char *wanted, size_t length)
{
    *s = (struct suggestion){.wanted = wanted, .length = length};
    s->distance = length < 3 ? 0 : (unsigned)(2 + length / 5);
}

void suggestion_offer(struct suggestion *s, const char *word, size_t length)
{
    unsigned d;

    if (s->length > LONGEST || length > LONGEST)
        return;
    d = distance(s->wanted, s->length, word, length);
    if (d < s->distance) {
        s->best = word;
        s->best_length = length;
        s->distance = d;
    }
}

void suggestion_offer_words(struct suggestion *s, const char *words)
{
    for (size_t n; *words; words += n + (words[n] == '|')) {
        n = strcspn(words, "|");
        suggestion_offer(s, words, n);
    }
}

const char *suggestion_text(char out[SUGGESTION_TEXT],
                            const struct suggestion *s, const char *prefix)
{
    out[0] = '\0';
    if (s->best)
        snprintf(out, SUGGESTION_TEXT, "; did you mean %s%.*s?", prefix,
                 (int)s->best_length, s->best);
    return out;
}
