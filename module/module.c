/*
 * module.c - loads the module: registers types, commands and settings
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bf_type.h"
#include "command_docs.h"
#include "freshet.h"
#include "rdb_type.h"
#include "server_command.h"
#include "server_stats.h"
#include "settings.h"

#define MODULE_NAME "freshet"
#define BLOOM       "bloom"

static const struct command *const tables[] = {
    commands_filters,
    commands_items,
    commands_hashes,
    commands_dumps,
};
static const struct command *const bf_tables[] = {
    commands_bf_filters,
    commands_bf_items,
    commands_bf_dumps,
};
enum {
    TABLES = sizeof tables / sizeof *tables,
    BF_TABLES = sizeof bf_tables / sizeof *bf_tables,
};

/* ---- Commands ---------------------------------------------------------- */

/*
 * The categories of the server's own commands, and ours: servers after Redis
 * 7.0 have them.  BF commands are where RedisBloom and valkey-bloom have them.
 */
static int set_categories(rm_command *command, const struct command *c)
{
    char text[64];

    if (!rm.AddACLCategory || !rm.SetCommandACLCategories)
        return RM_OK;
    snprintf(text, sizeof text, "%s %s " MODULE_NAME "%s",
             strstr(c->flags, "readonly") ? "read" : "write",
             strstr(c->flags, "fast") ? "fast" : "slow",
             strncmp(c->name, "BF.", 3) == 0 ? " " BLOOM : "");
    return rm.SetCommandACLCategories(command, text);
}

static int register_command(rm_ctx *ctx, const struct command *c)
{
    int first = c->key != KEY_NONE,
        last = c->key == KEY_AND_SOURCES ? -1 : first;
    rm_command *command;

    if (rm.CreateCommand(ctx, c->name, c->run, c->flags, first, last, first) !=
        RM_OK) {
        rm.Log(ctx, "warning", "freshet: another module has %s already",
               c->name);
        return RM_ERR;
    }
    command = rm.GetCommand(ctx, c->name);
    if (!command || command_docs_set(command, c) != RM_OK) {
        rm.Log(ctx, "warning", "freshet: the description of %s is refused",
               c->name);
        return RM_ERR;
    }
    return set_categories(command, c);
}

static int register_tables(rm_ctx *ctx, const struct command *const *table,
                           size_t n)
{
    for (; n; n--, table++)
        for (const struct command *c = *table; c->name; c++)
            if (register_command(ctx, c) != RM_OK)
                return RM_ERR;
    return RM_OK;
}

/* Registers BF commands, unless another module has them. */
static int register_bf(rm_ctx *ctx)
{
    if (rm.AddACLCategory)
        (void)rm.AddACLCategory(ctx, BLOOM); /* refused if it is there */
    if (register_tables(ctx, bf_tables, BF_TABLES) != RM_OK) {
        rm.Log(ctx, "warning",
               "freshet.bf-compat yes does not go with RedisBloom or "
               "valkey-bloom; set it to no, or do not load that module");
        return RM_ERR;
    }
    return RM_OK;
}

static int register_commands(rm_ctx *ctx)
{
    if (rm.AddACLCategory && rm.AddACLCategory(ctx, MODULE_NAME) != RM_OK)
        return RM_ERR;
    if (register_tables(ctx, tables, TABLES) != RM_OK)
        return RM_ERR;
    return settings_bf_compat ? register_bf(ctx) : RM_OK;
}

/* Registers both types: files with Bloom filters load without bf-compat,
   too. */
static int register_types(rm_ctx *ctx)
{
    return type_register(ctx) == RM_OK ? bf_type_register(ctx) : RM_ERR;
}

/* Returns the version in the form of servers: 10203 for "1.2.3". */
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

    if (missing) {
        if (rm.Log)
            rm.Log(NULL, "warning",
                   "freshet needs Redis 7 or Valkey 8: this server has no %s",
                   missing);
        return RM_ERR;
    }
    if (rm.IsModuleNameBusy(MODULE_NAME)) { /* nothing may be touched */
        rm.Log(NULL, "warning", "freshet is loaded already");
        return RM_ERR;
    }
    rm.SetModuleAttribs(ctx, MODULE_NAME, version_number(), RM_VERSION);
    rm.SetModuleOptions(ctx, RM_HANDLE_IO_ERRORS | RM_HANDLE_ASYNC_LOAD);
    if (settings_register(ctx) != RM_OK ||
        settings_read_arguments(ctx, argv, argc) != RM_OK ||
        register_types(ctx) != RM_OK || register_commands(ctx) != RM_OK)
        return RM_ERR;
    return rm.RegisterInfoFunc(ctx, server_stats_inform);
}
