/*
 * settings.c - the module's settings: freshet.NAME of the configuration
 */
#include "settings.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bf_args.h"
#include "bf_make.h"
#include "block_memory.h"
#include "memory_limit.h"
#include "replay_cache.h"
#include "reserve.h"

enum { MIB = 1 << 20 };

bool settings_bf_compat;

/* ---- Numbers, words, yes and no ---------------------------------------- */

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

static int get_choice(const char *name, void *data)
{
    (void)name;
    return *(int *)data;
}

static int set_choice(const char *name, int value, void *data, rm_string **err)
{
    (void)name;
    (void)err;
    *(int *)data = value;
    return RM_OK;
}

/* ---- Defaults of BF filters -------------------------------------------- */

/* What CONFIG GET answers to a default of BF filters: as it was set. */
struct bf_default {
    const char *name, *argument, *first;
    rm_string *text;
};
static struct bf_default bf_defaults[] = {
    {"bf-error-rate", "ERROR_RATE", "0.01", NULL},
    {"bf-initial-size", "INITIAL_SIZE", "100", NULL},
    {"bf-expansion-factor", "EXPANSION", "2", NULL},
};
enum { BF_DEFAULTS = sizeof bf_defaults / sizeof *bf_defaults };

static void keep_text(struct bf_default *to, const char *text, size_t len)
{
    if (to->text)
        rm.FreeString(NULL, to->text);
    to->text = rm.CreateString(NULL, text, len);
}

static rm_string *get_bf_default(const char *name, void *data)
{
    (void)name;
    return ((struct bf_default *)data)->text;
}

static int set_bf_default(const char *name, rm_string *value, void *data,
                          rm_string **err)
{
    struct bf_default *to = data;
    size_t len;
    const char *text = rm.StringPtrLen(value, &len);
    const char *takes = bf_set_default(to->name, text);
    char why[128];

    (void)name;
    if (takes) {
        snprintf(why, sizeof why, "%s takes %s", to->name, takes);
        *err = rm.CreateString(NULL, why, strlen(why));
        return RM_ERR;
    }
    keep_text(to, text, len);
    return RM_OK;
}

static int register_bf_defaults(rm_ctx *ctx)
{
    for (size_t i = 0; i < BF_DEFAULTS; i++)
        if (rm.RegisterStringConfig(ctx, bf_defaults[i].name,
                                    bf_defaults[i].first, 0, get_bf_default,
                                    set_bf_default, NULL,
                                    &bf_defaults[i]) != RM_OK)
            return RM_ERR;
    return RM_OK;
}

/* ---- All of them ------------------------------------------------------- */

static int register_bf_settings(rm_ctx *ctx)
{
    static const char *words[] = {"error", "evict"};
    static const int values[] = {BF_POLICY_ERROR, BF_POLICY_EVICT};

    if (rm.RegisterBoolConfig(ctx, "bf-compat", 0, RM_CONFIG_IMMUTABLE,
                              get_bool, set_bool, NULL,
                              &settings_bf_compat) != RM_OK ||
        register_bf_defaults(ctx) != RM_OK)
        return RM_ERR;
    return rm.RegisterEnumConfig(ctx, "full-policy", BF_POLICY_ERROR, 0, words,
                                 values, 2, get_choice, set_choice, NULL,
                                 &bf_full_policy);
}

/* A filter that is made without a size is never a tiny one. */
int settings_register(rm_ctx *ctx)
{
    if (rm.RegisterNumericConfig(ctx, "default-memory", 64LL * MIB,
                                 RM_CONFIG_MEMORY, MIB, 1LL << 48, get_number,
                                 set_number, NULL,
                                 &reserve_default_memory) != RM_OK ||
        rm.RegisterNumericConfig(ctx, "max-memory", memory_limit_default(),
                                 RM_CONFIG_MEMORY, 0, 1LL << 60, get_number,
                                 set_number, NULL, &memory_limit) != RM_OK ||
        rm.RegisterNumericConfig(ctx, "replay-clients", REPLAY_CACHE_CLIENTS, 0,
                                 1, REPLAY_CACHE_MOST, get_number, set_number,
                                 NULL, &replay_cache_limit) != RM_OK ||
        rm.RegisterBoolConfig(ctx, "huge-pages", 1, 0, get_bool, set_bool, NULL,
                              &room_huge_pages) != RM_OK ||
        register_bf_settings(ctx) != RM_OK)
        return RM_ERR;
    return rm.LoadConfigs(ctx);
}

/* ---- Arguments --------------------------------------------------------- */

/* Returns NULL, or what the argument takes. */
static const char *read_argument(const char *name, const char *value)
{
    const char *takes = bf_set_default(name, value);

    for (size_t i = 0; !takes && i < BF_DEFAULTS; i++)
        if (strcasecmp(bf_defaults[i].argument, name) == 0)
            keep_text(&bf_defaults[i], value, strlen(value));
    return takes;
}

int settings_read_arguments(rm_ctx *ctx, rm_string **argv, int argc)
{
    if (argc && !settings_bf_compat) {
        rm.Log(ctx, "warning",
               "freshet takes no arguments but RedisBloom's, with "
               "freshet.bf-compat yes; put settings into the configuration");
        return RM_ERR;
    }
    for (int i = 0; i < argc; i += 2) {
        const char *name = rm.StringPtrLen(argv[i], NULL);
        const char *takes =
            i + 1 < argc
                ? read_argument(name, rm.StringPtrLen(argv[i + 1], NULL))
                : "a value";

        if (takes) {
            rm.Log(ctx, "warning", "freshet: argument %s takes %s", name,
                   takes);
            return RM_ERR;
        }
    }
    return RM_OK;
}
