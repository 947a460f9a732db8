/*
 * blocks.c - blocks of memory for decompressed bytes
 */
#include "blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

/* A piece is as large as a huge page. */
enum { PIECE = 2 << 20, EACH = PIECE / sizeof(struct block) };

/* Pieces are linked outside of them: the thread that first touches a page of
   theirs, and so has it cleared, does not hold the lock. */
struct piece {
    struct piece *before;
    struct block *block;
};

void blocks_init(struct blocks *s)
{
    *s = (struct blocks){.spare = NULL};
    pthread_mutex_init(&s->lock, NULL);
}

static void free_pieces(struct blocks *s)
{
    while (s->piece) {
        struct piece *before = s->piece->before;

        free(s->piece->block);
        free(s->piece);
        s->piece = before;
    }
    s->spare = NULL;
    s->left = 0;
}

void blocks_free(struct blocks *s)
{
    free_pieces(s);
    pthread_mutex_destroy(&s->lock);
}

/* Locked.  A small file needs only a part of the first piece, which therefore
   has small pages. */
static bool add_piece(struct blocks *s)
{
    struct piece *p = malloc(sizeof *p);

    if (!p)
        return false;
    *p = (struct piece){s->piece, aligned_alloc(PIECE, PIECE)};
    if (!p->block) {
        free(p);
        return false;
    }
    if (s->piece)
        (void)madvise(p->block, PIECE, MADV_HUGEPAGE);
    s->piece = p;
    s->left = EACH;
    return true;
}

struct block *blocks_take(struct blocks *s)
{
    struct block *b;

    pthread_mutex_lock(&s->lock);
    b = s->spare;
    if (b)
        s->spare = b->next;
    else if (s->left || add_piece(s))
        b = &s->piece->block[EACH - s->left--];
    s->used += b != NULL;
    pthread_mutex_unlock(&s->lock);
    return b;
}

void blocks_return(struct blocks *s, struct block *b)
{
    pthread_mutex_lock(&s->lock);
    while (b) {
        struct block *next = b->next;

        b->next = s->spare;
        s->spare = b;
        s->used--;
        b = next;
    }
    pthread_mutex_unlock(&s->lock);
}

void blocks_trim(struct blocks *s)
{
    pthread_mutex_lock(&s->lock);
    if (!s->used)
        free_pieces(s);
    pthread_mutex_unlock(&s->lock);
}
