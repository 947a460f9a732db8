/*
 * extractor.h - how records are told apart, and what is taken of each
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
    struct event_time time; /* tells the filter's clock, if set */
};

/* Set how records end, when the key is known. */
void extractor_set_framing(struct extractor *x, char delimiter, uint64_t most);

/* Returns whether a header must tell where columns are. */
bool extractor_wants_columns(const struct extractor *x);

/*
 * Make *to the same for another thread; or the same for an input with this
 * header.  Returns false if there is no memory, or why columns are not found;
 * to be freed in any case, and before the first one is.
 */
bool extractor_clone(struct extractor *to, const struct extractor *x);
bool extractor_with_header(struct extractor *to, const struct extractor *x,
                           struct view header, struct fault *why);
void extractor_free(struct extractor *x);

#endif
