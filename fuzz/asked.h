/*
 * asked.h - options of a filter, read from an input; for fuzz_options and
 * fuzz_expect
 */
#ifndef ASKED_H
#define ASKED_H

#include "fuzz.h"

struct asked {
    freshet_options o;
    unsigned about; /* which fields are set, and bits for the caller */
    char *name, *params;
};

/* Returns the text up to the next zero byte, or the whole rest. */
static inline char *read_string(struct input *in)
{
    size_t len = strnlen((const char *)in->at, in->left);
    char *text = malloc(len + 1);

    MUST(text);
    memcpy(text, in->at, len);
    text[len] = '\0';
    in->at += len;
    in->left -= len;
    take(in, 1); /* the zero */
    return text;
}

static inline struct asked read_asked(struct input *in)
{
    struct asked a = {.o = {.size = sizeof a.o}};
    uint64_t which = take(in, 1), rate = take(in, 8);

    a.about = (unsigned)take(in, 1);
    memcpy(&a.o.false_drop_rate, &rate, sizeof rate);
    a.o.memory = a.about & 1 ? take(in, 8) : take(in, 2);
    a.o.expect = a.about & 2 ? take(in, 8) : 0;
    a.o.window = a.about & 4 ? take(in, 8) : 0;
    a.o.within = a.about & 8 ? take(in, 8) : 0;
    a.o.goal = a.about >> 4 & 3;
    a.name = read_string(in);
    a.params = read_string(in);
    a.o.algorithm = which == 255 ? a.name : algorithm_of(which)->name;
    a.o.algorithm = which == 254 ? NULL : a.o.algorithm;
    a.o.params = a.params;
    return a;
}

static inline void free_asked(struct asked *a)
{
    free(a->name);
    free(a->params);
}

static inline void refused(int status, const freshet_error *err)
{
    MUST(status < 0 && err->status == status);
    MUST(strcmp(freshet_status_text(status), "unknown status") != 0);
    MUST(memchr(err->message, '\0', sizeof err->message));
    MUST(err->message[0] && !strpbrk(err->message, "\n\r\033"));
}

#endif
