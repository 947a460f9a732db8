/*
 * server_command.c - what the commands share
 */
#include "server_command.h"

#include "rdb_type.h"
#include "reply.h"

bool place_open(struct place *p, rm_ctx *ctx, rm_string *name, int mode)
{
    *p = (struct place){.ctx = ctx, .name = name};
    p->key = rm.OpenKey(ctx, name, mode);
    if (p->key && rm.ModuleTypeGetType(p->key) == type_filter)
        p->value = rm.ModuleTypeGetValue(p->key);
    if (p->value || !p->key || rm.KeyType(p->key) == RM_KEY_EMPTY)
        return true;
    place_close(p);
    rm.ReplyWithError(ctx, RM_WRONG_TYPE);
    return false;
}

bool place_need(struct place *p, rm_ctx *ctx, rm_string *name, int mode)
{
    if (!place_open(p, ctx, name, mode))
        return false;
    if (p->value)
        return true;
    place_close(p);
    reply_error(ctx, "ERR not found: no filter at this key; make one with "
                     "FR.RESERVE");
    return false;
}

void place_set(struct place *p, struct value *value)
{
    rm.ModuleTypeSetValue(p->key, type_filter, value);
    p->value = value;
}

void place_close(struct place *p)
{
    if (p->key)
        rm.CloseKey(p->key);
    p->key = NULL;
}

bool command_is_echo(rm_ctx *ctx)
{
    return rm.GetContextFlags(ctx) & (RM_REPLICATED | RM_LOADING);
}

void place_tick(struct place *p)
{
    long long now;

    if (!p->value->within || command_is_echo(p->ctx))
        return;
    now = rm.Milliseconds();
    if (now <= p->value->told)
        return;
    p->value->told = now;
    freshet_tick(p->value->filter, (uint64_t)now * COMMAND_TICKS);
    rm.Replicate(p->ctx, "FR.TICK", "sl", p->name, now);
}

void place_wrote(struct place *p, const char *event)
{
    room_used(&p->value->room, value_keys(p->value));
    rm.ReplicateVerbatim(p->ctx);
    if (event)
        rm.NotifyKeyspaceEvent(p->ctx, RM_NOTIFY_MODULE, event, p->name);
}

bool command_count(uint64_t *count, rm_string *text)
{
    size_t len;
    const char *at = rm.StringPtrLen(text, &len);
    uint64_t n = 0;

    if (len == 0 || len > 19)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        n = n * 10 + (uint64_t)(at[i] - '0');
    }
    if (n > INT64_MAX)
        return false;
    *count = n;
    return true;
}
