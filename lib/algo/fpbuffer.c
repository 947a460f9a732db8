/*
 * fpbuffer.c - an exact cache with deliberate false drops
 *
 * A cache (buffer.c) has only false passes.  To compare it with a filter that
 * has both kinds of error, F. Deng and D. Rafiei (SIGMOD 2006, section 5.2)
 * call a key that is not in the cache seen with probability q.  Then q is the
 * false-drop rate, and false passes are fewer by the same share.  The key is
 * stored in either case.
 */
#include "parts/lru.h"

enum { Q, END };
static const freshet_parameter fpbuffer_params[] = {
    [Q] = {"q", 0, 1, 0, 0, NULL,
           "chance to call a new key seen; 0: the wanted rate"},
    [END] = {0},
};

static size_t fpbuffer_plan(void *state, const struct fr_goal *goal)
{
    if (goal->param[Q] == 0)
        goal->param[Q] = goal->false_drop;
    return lru_plan(state, goal, goal->param[Q]);
}

const struct fr_algo fr_fpbuffer = {
    .about = {.name = "fpbuffer",
              .title = "exact cache with deliberate false drops",
              .paper = "Deng and Rafiei, SIGMOD 2006, section 5.2",
              .can = FRESHET_CAN_FORGET | FRESHET_CAN_PROMISE},
    .id = FR_ID('f', 'p', 'b', '1'),
    .params = fpbuffer_params,
    .plan = fpbuffer_plan,
    .check = lru_check,
    LRU_VERBS,
};
