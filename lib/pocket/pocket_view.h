/*
 * pocket_view.h - a decoded line, for operations that are rare
 */
#ifndef FR_POCKET_VIEW_H
#define FR_POCKET_VIEW_H

#include "pocket_age.h"

/* One line, with or without ages. */
struct fr_view {
    uint64_t *line;
    unsigned width, slots; /* present width; number of live slots */
    bool has_age;
    struct fr_age age;
};

/* Decodes a line as of a generation. */
static inline struct fr_view fr_view_of(const struct pocket *s, uint64_t *line,
                                        uint64_t generation)
{
    struct fr_view v = {.line = line, .has_age = s->length != 0};
    unsigned level, live;

    if (v.has_age) {
        v.age = fr_age_read(line[FR_AGE_WORD], generation);
        level = v.age.level < s->levels ? v.age.level : s->levels - 1;
        live = v.age.alive;
    } else {
        live = fr_line_pushes(line);
        level = fr_line_level(s, live);
    }
    v.width = s->width[level];
    v.slots = live < s->slots[level] ? live : s->slots[level];
    return v;
}

#endif
