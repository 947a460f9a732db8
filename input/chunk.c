/*
 * chunk.c - the memory of a chunk: its bytes and its records
 */
#include <stdlib.h>

#include "source.h"

bool chunk_init(struct chunk *c, size_t size, size_t records)
{
    *c = (struct chunk){.size = size, .capacity = records};
    c->buffer = malloc(size + 1);
    c->record = malloc(records * sizeof *c->record);
    return c->buffer && c->record;
}

void chunk_free(struct chunk *c)
{
    free(c->buffer);
    free(c->record);
    *c = (struct chunk){0};
}
