/*
 * pocket_merge.c - merges one pocket filter into another
 *
 * Both were made with equal options and seed, so a key's lines are the same in
 * both, and they are merged line by line.  With a window the slots of the two
 * lines are sorted by age; without one their ages are unknown, and the lines
 * take turns from the front.  A fingerprint that both have is kept once.  The
 * oldest slots that do not fit are dropped.
 */
#include "pocket_view.h"

struct slot {
    uint64_t print;
    unsigned age; /* generations, or positions from the front */
};

/* Reads a line's live slots, newest first, at a width of at most its own. */
static unsigned read_slots(struct slot *slots, const struct fr_view *v,
                           unsigned width)
{
    unsigned n = 0;

    for (unsigned i = 0; i < v->slots; i++) {
        uint64_t print = fr_line_get(v->line, i, v->width);
        unsigned age = v->has_age ? fr_age_at(&v->age, i) - i : i;

        if (print)
            slots[n++] = (struct slot){fr_print(print, width), age};
    }
    return n;
}

static bool has(const struct slot *slots, unsigned n, uint64_t print)
{
    for (unsigned i = 0; i < n; i++)
        if (slots[i].print == print)
            return true;
    return false;
}

/* Merges two sorted lists.  A fingerprint of both is kept once, and *twins
   counts these. */
static unsigned merge_slots(struct slot *to, const struct slot *a, unsigned na,
                            const struct slot *b, unsigned nb, uint64_t *twins)
{
    unsigned n = 0, i = 0, j = 0;

    while (i < na || j < nb) {
        bool from_a = j == nb || (i < na && a[i].age <= b[j].age);
        /* cppcheck-suppress uninitvar ; the callers fill the first na */
        struct slot next = from_a ? a[i++] : b[j++];

        if (has(to, n, next.print))
            ++*twins;
        else
            to[n++] = next;
    }
    return n;
}

/* Returns the age string of slots in this order. */
static uint64_t string_of(const struct slot *slots, unsigned n)
{
    uint64_t string = 0;
    unsigned at = 0, age = 0;

    for (unsigned i = 0; i < n; i++, at++)
        for (; age < slots[i].age; age++, at++)
            string |= UINT64_C(1) << at;
    for (; age < FR_AGE_DEAD; age++, at++)
        string |= UINT64_C(1) << at;
    return string;
}

/* Writes the word that says how a line is packed: its age word, or its count of
   pushes. */
static void write_tag(const struct pocket *s, struct fr_view *v,
                      const struct slot *slots, unsigned n, unsigned level,
                      uint64_t pushes)
{
    uint64_t *top = v->line + FR_LINE_WORDS - 1;
    uint64_t least = level ? s->slots[level - 1] + 1u : 0;

    if (v->has_age) {
        v->age.string = string_of(slots, n);
        v->age.level = level;
        *top = fr_age_write(&v->age, s->live.generation);
        return;
    }
    if (level + 1 < s->levels)
        pushes = n > least ? n : least;
    else if (pushes < least)
        pushes = least;
    if (pushes > 0xffff)
        pushes = 0x8000 | (pushes & 0x7fff);
    *top = (*top & (UINT64_MAX >> 16)) | pushes << 48;
}

static unsigned level_for(const struct pocket *s, const struct fr_view *a,
                          const struct fr_view *b, unsigned n)
{
    unsigned level = 0;

    while (level + 1 < s->levels &&
           (s->width[level] > a->width || s->width[level] > b->width ||
            s->slots[level] < n))
        level++;
    return level;
}

static void merge_line(struct pocket *s, struct fr_view *a,
                       const struct fr_view *b)
{
    struct slot in_a[64], in_b[64], all[128];
    uint64_t pushes = fr_line_pushes(a->line) + (uint64_t)b->slots, twins = 0;
    unsigned common = a->width < b->width ? a->width : b->width, level, n;

    n = merge_slots(all, in_a, read_slots(in_a, a, common), in_b,
                    read_slots(in_b, b, common), &twins);
    s->live.taken += twins;
    level = level_for(s, a, b, n);
    if (n > s->slots[level]) {
        if (a->has_age)
            s->live.forgotten += n - s->slots[level];
        n = s->slots[level];
    }
    fr_line_clear(a->line, 0, 8, a->has_age ? FR_AGE_STACK : FR_PLAIN_STACK);
    for (unsigned i = 0; i < n; i++)
        fr_line_put(a->line, i, s->width[level],
                    fr_print(all[i].print, s->width[level]));
    write_tag(s, a, all, n, level, pushes);
}

void fr_pocket_merge(void *state, const void *other)
{
    struct pocket *s = state;
    const struct pocket *o = other;
    /* If the other clock is behind ours, its slots are older. */
    uint64_t behind = s->live.epoch - o->live.epoch, then = o->live.generation;

    then += behind < FR_AGE_DEAD ? behind : FR_AGE_DEAD;
    for (uint64_t i = 0; i < s->lines; i++) {
        struct fr_view a = fr_view_of(s, fr_line(s, i), s->live.generation);
        struct fr_view b = fr_view_of(o, fr_line(o, i), then);

        if (b.slots)
            merge_line(s, &a, &b);
    }
    s->live.pushed += o->live.pushed;
    s->live.taken += o->live.taken;
    s->live.forgotten += o->live.forgotten;
}
