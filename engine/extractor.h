/*
 * extractor.h - how records are split and what is extracted from each
 *
 * An extractor is constant once it is set up; each thread has a clone.
 */
#ifndef EXTRACTOR_H
#define EXTRACTOR_H

#include "event_time.h"
#include "key.h"
#include "source.h"

enum missing { MISSING_PASS, MISSING_DROP, MISSING_KEY };

enum malformed { MALFORMED_PASS, MALFORMED_DROP, MALFORMED_FAIL };

struct extractor {
    struct framing framing;
    enum missing missing;
    enum malformed malformed;
    bool has_header; /* the first record of an input is not compared */
    struct key *key;
    struct event_time time; /* sets the filter's clock, if used */
};

/* Sets how records end, when the key is known. */
void extractor_set_framing(struct extractor *x, char delimiter, uint64_t most);

/* Returns whether a header is needed to find columns. */
bool extractor_wants_columns(const struct extractor *x);

/*
 * Make *to a copy for another thread, or for an input with this header.  Both
 * return false if there is no memory; the second sets *why if columns are not
 * found.  To be freed in any case, and before the original.
 */
bool extractor_clone(struct extractor *to, const struct extractor *x);
bool extractor_with_header(struct extractor *to, const struct extractor *x,
                           struct view header, struct fault *why);
void extractor_free(struct extractor *x);

#endif
