/*
 * kinds.c - the list of all generators, in the order of "freshet gen --list"
 *
 * To add one: write gen/NAME.c, put X(NAME) in the list, add a vector to
 * tests/gen/vectors.txt.
 */
#include "kind.h"

#define KINDS(X)                                                               \
    X(uniform)                                                                 \
    X(shuffled)                                                                \
    X(poisson)                                                                 \
    X(bmodel)                                                                  \
    X(zipf) X(endless) X(drift) X(burst) X(attack) X(log) X(csv) X(jsonl)

#define X(name) extern const struct gen_kind gen_##name;
KINDS(X)
#undef X

const struct gen_kind *const gen_kinds[] = {
#define X(name) &gen_##name,
    KINDS(X)
#undef X
        NULL,
};
