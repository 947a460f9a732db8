/*
 * module.c - the Redis and Valkey module: what the server learns at load
 */
#include <stdint.h>
#include <stdio.h>

#include "census.h"
#include "command.h"
#include "freshet.h"
#include "reserve.h"
#include "type.h"

#define MODULE_NAME "freshet"

enum { MIB = 1 << 20 };

static const struct command *const tables[] = {
    commands_filters,
    commands_items,
    commands_hashes,
    commands_dumps,
};

/* ---- Commands ---------------------------------------------------------- */

static int register_command(rm_ctx *ctx, const struct command *c)
{
    static const struct rm_command_version version = {.version = 1};
    struct rm_command_info info = {.version = &version,
                                   .summary = c->summary,
                                   .arity = c->arity};
    rm_command *command;

    if (rm.CreateCommand(ctx, c->name, c->run, c->flags, c->first, c->last,
                         c->step) != RM_OK)
        return RM_ERR;
    command = rm.GetCommand(ctx, c->name);
    if (!command || rm.SetCommandInfo(command, &info) != RM_OK)
        return RM_ERR;
    if (rm.AddACLCategory && rm.SetCommandACLCategories)
        return rm.SetCommandACLCategories(command, MODULE_NAME);
    return RM_OK;
}

static int register_commands(rm_ctx *ctx)
{
    if (rm.AddACLCategory && rm.AddACLCategory(ctx, MODULE_NAME) != RM_OK)
        return RM_ERR;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct command *c = tables[t]; c->name; c++)
            if (register_command(ctx, c) != RM_OK)
                return RM_ERR;
    return RM_OK;
}

/* ---- Settings ---------------------------------------------------------- */

static long long get_number(const char *name, void *data)
{
    (void)name;
    return *(long long *)data;
}

static int set_number(const char *name, long long value, void *data,
                      rm_string **err)
{
    (void)name;
    (void)err;
    *(long long *)data = value;
    return RM_OK;
}

static int get_bool(const char *name, void *data)
{
    (void)name;
    return *(bool *)data;
}

static int set_bool(const char *name, int value, void *data, rm_string **err)
{
    (void)name;
    (void)err;
    *(bool *)data = value;
    return RM_OK;
}

/* A filter made without a word about its size is never a tiny one. */
static int register_settings(rm_ctx *ctx)
{
    if (rm.RegisterNumericConfig(ctx, "default-memory", 64LL * MIB,
                                 RM_CONFIG_MEMORY, MIB, 1LL << 48, get_number,
                                 set_number, NULL,
                                 &reserve_default_memory) != RM_OK ||
        rm.RegisterBoolConfig(ctx, "huge-pages", 1, 0, get_bool, set_bool, NULL,
                              &room_huge_pages) != RM_OK)
        return RM_ERR;
    return rm.LoadConfigs(ctx);
}

/* "1.2.3" as 10203, which is how servers number modules. */
static int version_number(void)
{
    int major = 0, minor = 0, patch = 0;

    (void)sscanf(freshet_version(), "%d.%d.%d", &major, &minor, &patch);
    return major * 10000 + minor * 100 + patch;
}

/* ---- Loading ----------------------------------------------------------- */

__attribute__((visibility("default"))) int RedisModule_OnLoad(rm_ctx *ctx,
                                                              rm_string **argv,
                                                              int argc);

int RedisModule_OnLoad(rm_ctx *ctx, rm_string **argv, int argc)
{
    const char *missing = rm_resolve(ctx);

    (void)argv;
    if (missing) {
        if (rm.Log)
            rm.Log(NULL, "warning",
                   "freshet needs Redis 7 or Valkey 8: this server has no %s",
                   missing);
        return RM_ERR;
    }
    rm.SetModuleAttribs(ctx, MODULE_NAME, version_number(), RM_VERSION);
    if (argc) {
        rm.Log(ctx, "warning",
               "freshet takes no arguments; set freshet.default-memory in the "
               "configuration");
        return RM_ERR;
    }
    rm.SetModuleOptions(ctx, RM_HANDLE_IO_ERRORS | RM_HANDLE_ASYNC_LOAD);
    if (type_register(ctx) != RM_OK || register_commands(ctx) != RM_OK ||
        rm.RegisterInfoFunc(ctx, census_inform) != RM_OK)
        return RM_ERR;
    return register_settings(ctx);
}
