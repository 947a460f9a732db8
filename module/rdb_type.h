/*
 * rdb_type.h - the native type: saving, loading, copying, freeing
 */
#ifndef RDB_TYPE_H
#define RDB_TYPE_H

#include "api.h"

/* What a key of it answers to TYPE; nine characters, for ever. */
#define TYPE_NAME "freshet--"

extern rm_type *type_filter;

/* Tell the server about the type; RM_OK or RM_ERR. */
int type_register(rm_ctx *ctx);

#endif
