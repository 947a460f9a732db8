/*
 * params.h - the parameters of a stream
 *
 * One table holds every parameter of every kind, and the output options of the
 * command.  Each kind names the parameters that it takes.
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
    int order; /* enum gen_order */

    double repeats;
    int shape; /* enum gen_shape */
    uint64_t gap, least;

    uint64_t calm, clients, retries;

    uint64_t against, bits;
    bool text; /* keys are offered as decimal digits, not as 8 bytes; set by the
                  caller, not a parameter */
};

enum gen_order { GEN_FIRST, GEN_RANDOM };
enum gen_shape { GEN_FIXED, GEN_UNIFORM, GEN_LOGUNIFORM, GEN_EXPONENTIAL };

/* What the command takes: the parameters, then output switches. */
struct gen_args {
    struct gen_params params;
    bool binary, truth, list;
};

extern const struct option_spec gen_options[];

/* Parameters of which none is set. */
extern const struct gen_params gen_unset;

/* Returns whether the parameter of a row is set. */
bool gen_is_set(const struct gen_params *params, const struct option_spec *row);

/*
 * Parses "name=value,...".  Returns -1 and sets *why if a name is unknown or a
 * value is invalid.
 */
int gen_params_read(struct gen_params *params, const char *text,
                    struct fault *why);

/* Returns how many bytes of a user's text a message may quote: a few words,
   without control characters. */
int gen_quotable(const char *text, size_t len);

/*
 * Checks that the kind takes every parameter that is set, by its list of names
 * separated by blanks, and sets the others to their defaults.
 */
int gen_params_complete(struct gen_params *params, const char *kind,
                        const char *takes, struct fault *why);

#endif
