/*
 * rdb_type.h - the native type: saving, loading, copying, freeing
 */
#ifndef RDB_TYPE_H
#define RDB_TYPE_H

#include "api.h"

/* The name that TYPE answers: nine characters, which must never change. */
#define TYPE_NAME "freshet--"

extern rm_type *type_filter;

/* Registers the type with the server.  Returns RM_OK or RM_ERR. */
int type_register(rm_ctx *ctx);

#endif
