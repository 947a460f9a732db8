/*
 * params.h - what can be said about a stream
 *
 * One table holds every parameter of every kind, and the options of the
 * command's output: a kind names those that it takes.
 */
#ifndef GEN_PARAMS_H
#define GEN_PARAMS_H

#include "fault.h"
#include "option.h"

struct gen_params {
    uint64_t records, seed;

    uint64_t universe, step;
    double distinct, exponent;

    double lambda, mean, bias, volume;
    uint64_t level;
    int order; /* of gen_order */

    double repeats;
    int shape; /* of gen_shape */
    uint64_t gap, least;

    uint64_t calm, clients, retries;

    uint64_t against, bits;
    bool text; /* keys are offered as decimal digits, not as 8 bytes: set by
                  who opens the stream, no parameter */
};

enum gen_order { GEN_FIRST, GEN_RANDOM };
enum gen_shape { GEN_FIXED, GEN_UNIFORM, GEN_LOGUNIFORM, GEN_EXPONENTIAL };

/* What the command takes: the parameters, then switches about its output. */
struct gen_args {
    struct gen_params params;
    bool binary, truth, list;
};

extern const struct option_spec gen_options[];

/* Where nothing is said yet. */
extern const struct gen_params gen_unset;

/* Is the parameter of a row said? */
bool gen_is_set(const struct gen_params *params, const struct option_spec *row);

/*
 * Read "name=value,...".  -1 and a sentence where a name is of no parameter or
 * a value is not of its kind.
 */
int gen_params_read(struct gen_params *params, const char *text,
                    struct fault *why);

/* How much of a user's text stands in a complaint: no more than a few words,
   and no control characters. */
int gen_quotable(const char *text, size_t len);

/*
 * See that a kind takes what is said, of the blank-separated names that it
 * does, and give the rest the values the table tells.
 */
int gen_params_settle(struct gen_params *params, const char *kind,
                      const char *takes, struct fault *why);

#endif
