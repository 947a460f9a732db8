/*
 * bf_place.c - the filter at a key, as BF.* commands see it
 */
#include "bf_place.h"

#include "bf_type.h"
#include "rdb_type.h"
#include "reply.h"

bool bf_place_has(const struct bf_place *p)
{
    return p->chain || p->at.value;
}

bool bf_place_find(struct bf_place *p, rm_ctx *ctx, rm_string *name, int mode)
{
    rm_type *type;

    *p = (struct bf_place){.at = {.ctx = ctx, .name = name}};
    p->at.key = rm.OpenKey(ctx, name, mode);
    if (!p->at.key || rm.KeyType(p->at.key) == RM_KEY_EMPTY)
        return true;
    type = rm.ModuleTypeGetType(p->at.key); /* NULL: not of a module */
    if (type == bf_type)
        p->chain = rm.ModuleTypeGetValue(p->at.key);
    else if (type == type_filter)
        p->at.value = rm.ModuleTypeGetValue(p->at.key);
    if (bf_place_has(p))
        return true;
    bf_place_close(p);
    return false;
}

bool bf_place_open(struct bf_place *p, rm_ctx *ctx, rm_string *name, int mode)
{
    if (bf_place_find(p, ctx, name, mode))
        return true;
    rm.ReplyWithError(ctx, RM_WRONG_TYPE);
    return false;
}

bool bf_place_need(struct bf_place *p, rm_ctx *ctx, rm_string *name, int mode)
{
    if (!bf_place_open(p, ctx, name, mode))
        return false;
    if (bf_place_has(p))
        return true;
    bf_place_close(p);
    reply_error(ctx, "ERR not found");
    return false;
}

void bf_place_set(struct bf_place *p, struct bf_chain *chain)
{
    rm.ModuleTypeSetValue(p->at.key, bf_type, chain);
    p->chain = chain;
}

void bf_place_close(struct bf_place *p)
{
    place_close(&p->at);
}
