/*
 * bf_type.h - the native type of Bloom chains, which BF.* commands make
 */
#ifndef BF_TYPE_H
#define BF_TYPE_H

#include "api.h"

/* What a key of it answers to TYPE; nine characters, for ever. */
#define BF_TYPE_NAME "freshetbf"

extern rm_type *bf_type;

/* Tell the server about the type; RM_OK or RM_ERR. */
int bf_type_register(rm_ctx *ctx);

#endif
