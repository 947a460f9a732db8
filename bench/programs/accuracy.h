/*
 * accuracy.h - the parts of the program accuracy
 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include <stdbool.h>

struct accuracy {
    bool csv;
    bool quick;            /* tiny: to see that it runs, not what it says */
    const char *published; /* a CSV of printed figures; NULL: not that part */
    unsigned judged, met;  /* rows with a target; of them, those within it */
};

/* The pocket filter on an endless stream. */
void accuracy_pocket(struct accuracy *a);

/* The planner's choice on the published uniform streams. */
void accuracy_published(struct accuracy *a);

#endif
