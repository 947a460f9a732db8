/*
 * api.c - asking the server for its calls
 */
#include "api.h"

struct rm_calls rm;

/* The first word of a context is the function that finds all others. */
typedef int get_call(const char *name, void *call);

const char *rm_resolve(rm_ctx *ctx)
{
    get_call *get = *(get_call **)(void *)ctx;

#define X(type, name, arguments)                                               \
    if (get("RedisModule_" #name, (void *)&rm.name) != RM_OK)                  \
        return #name;
    RM_CALLS(X)
#undef X
#define X(type, name, arguments)                                               \
    if (get("RedisModule_" #name, (void *)&rm.name) != RM_OK)                  \
        rm.name = NULL;
    RM_LATER_CALLS(X)
#undef X
    return NULL;
}
