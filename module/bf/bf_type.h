/*
 * bf_type.h - the native type of Bloom chains, which BF.* commands make
 */
#ifndef BF_TYPE_H
#define BF_TYPE_H

#include "api.h"

/* The name that TYPE answers: nine characters, which must never change. */
#define BF_TYPE_NAME "freshetbf"

extern rm_type *bf_type;

/* Registers the type with the server.  Returns RM_OK or RM_ERR. */
int bf_type_register(rm_ctx *ctx);

#endif
