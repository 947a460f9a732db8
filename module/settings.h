/*
 * settings.h - the module's settings: freshet.NAME of the configuration
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>

#include "api.h"

/* Whether BF commands are registered: freshet.bf-compat. */
extern bool settings_bf_compat;

/* Registers all settings and reads their values.  Returns RM_ERR if the
   server refuses one. */
int settings_register(rm_ctx *ctx);

/* Reads the arguments of loadmodule after settings_register(): those of
   RedisBloom, which set the defaults of BF filters.  Returns RM_ERR after
   having logged what is wrong. */
int settings_read_arguments(rm_ctx *ctx, rm_string **argv, int argc);

#endif
