/*
 * inflate_team.c - threads that decode a gzip file ahead of the one that
 * decodes it in order
 */
#include "inflate_team.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deflate_find.h"

enum {
    PIECE = 512 << 10,  /* bytes of the file */
    BEHIND = 128 << 10, /* bytes after it, for the rest of its last block */
    ROOM = 8,           /* symbols for each byte of a piece */
    LEAST = 8,          /* pieces of a file that is worth a team */
    MOST_HELPERS = 15,
    STRETCH = 16 << 10, /* bytes searched for a block before a helper looks
                           whether it is still wanted */
    GUESSES = 8,        /* wrong ones, after which a piece is given up */
    FAILURES = 6, /* pieces in a row without a block, each of which doubles
                           the distance to the next piece */
    LOWEST_PRIORITY = 19
};

/* What a helper decodes, or has decoded for the leader.  The symbols and the
   data are the helper's while it works; all else is protected by the lock. */
struct piece {
    bool is_busy;               /* a helper works on it */
    bool is_taken;              /* the leader has it */
    bool is_unwanted;           /* the helper is to stop */
    uint64_t begin;             /* position of its first block */
    struct inflate_blocks done; /* n is 0: none */

    struct deflate_symbols symbols;
    unsigned char *data;
    size_t len;
};

struct inflate_team {
    int fd;
    off_t from;
    size_t bytes;    /* of a piece */
    uint64_t pieces; /* whole pieces of the file */

    pthread_mutex_t lock; /* protects the fields below */
    pthread_cond_t work;  /* there may be work for helpers */
    pthread_cond_t idle;  /* a helper has become idle */
    uint64_t position;    /* of the leader */
    uint64_t next;        /* the first piece that no helper has got */
    unsigned failures, busy;
    bool is_over, is_paused;
    unsigned wanted, helpers, slots;
    uint64_t helped;
    pthread_t helper[MOST_HELPERS];
    struct piece piece[2 * MOST_HELPERS];
};

/* ---- One piece -------------------------------------------------------- */

/* Reads a piece and the bytes behind it, as far as the file has them. */
static void read_piece(const struct inflate_team *t, struct piece *p,
                       uint64_t number)
{
    off_t offset = t->from + (off_t)(number * t->bytes);
    size_t all = t->bytes + BEHIND;

    p->len = 0;
    while (p->len < all) {
        ssize_t got = pread(t->fd, p->data + p->len, all - p->len,
                            offset + (off_t)p->len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        p->len += (size_t)got;
    }
    memset(p->data + p->len, 0, DEFLATE_SPARE);
}

static bool make_room(const struct inflate_team *t, struct piece *p)
{
    if (!p->data)
        p->data = malloc(t->bytes + BEHIND + DEFLATE_SPARE);
    /* analyzer: sees a leak; p owns it */
    return p->data && (p->symbols.symbol ||
                       deflate_symbols_init(&p->symbols, t->bytes * ROOM));
}

/* Locked: returns whether the helper of a piece whose blocks begin here, or
   later, is to go on. */
static bool is_wanted(const struct inflate_team *t, const struct piece *p,
                      uint64_t begin)
{
    return !t->is_over && !t->is_paused && !p->is_unwanted && !p->is_taken &&
           t->position <= begin;
}

static bool goes_on(struct inflate_team *t, const struct piece *p,
                    uint64_t begin)
{
    bool result;

    pthread_mutex_lock(&t->lock);
    result = is_wanted(t, p, begin);
    pthread_mutex_unlock(&t->lock);
    return result;
}

/* Hands over what is decoded.  Returns whether to go on. */
static bool hand_over(struct inflate_team *t, struct piece *p, uint64_t begin,
                      uint64_t end)
{
    bool result;

    pthread_mutex_lock(&t->lock);
    result = is_wanted(t, p, begin);
    if (result) {
        p->begin = begin;
        p->done = (struct inflate_blocks){p->symbols.symbol + DEFLATE_WINDOW,
                                          p->symbols.n, end};
    }
    pthread_mutex_unlock(&t->lock);
    return result;
}

/* Decodes blocks from a bit of the piece on, which has the position "first".
   Returns false if there is none: the guess was wrong. */
static bool decode_from(struct inflate_team *t, struct piece *p, uint64_t bit,
                        uint64_t first)
{
    struct deflate_symbols *s = &p->symbols;

    deflate_symbols_begin(s, bit);
    while (s->end < (uint64_t)t->bytes * 8 &&
           deflate_symbols_decode(s, p->data, p->len))
        if (!hand_over(t, p, first + bit, first + s->end))
            return true;
    return s->n > 0;
}

/* Decodes the first blocks that are found.  Returns false if there are none. */
static bool decode_piece(struct inflate_team *t, struct piece *p,
                         uint64_t number)
{
    const uint64_t bits = (uint64_t)t->bytes * 8, first = number * bits;
    unsigned guesses = 0;

    if (!make_room(t, p))
        return false;
    read_piece(t, p, number);
    for (uint64_t bit = 0, to; bit < bits && guesses < GUESSES;) {
        if (!goes_on(t, p, first + bit))
            return true;
        to = bit + STRETCH * 8 < bits ? bit + STRETCH * 8 : bits;
        bit = deflate_find(p->data, p->len, bit, to);
        if (bit == DEFLATE_NOWHERE)
            bit = to;
        else if (decode_from(t, p, bit++, first))
            return true;
        else
            guesses++;
    }
    return false;
}

/* ---- Helpers ---------------------------------------------------------- */

/* Locked: returns room for a piece, or NULL. */
static struct piece *free_piece(struct inflate_team *t)
{
    for (unsigned i = 0; i < t->slots; i++) {
        struct piece *p = &t->piece[i];

        if (!p->is_busy && !p->is_taken && !p->done.n)
            return p;
    }
    return NULL;
}

/* Locked: waits for work.  Returns NULL if there will be none. */
static struct piece *wait_for_piece(struct inflate_team *t)
{
    while (!t->is_over && t->next < t->pieces) {
        struct piece *p = free_piece(t);

        if (p && !t->is_paused)
            return p;
        pthread_cond_wait(&t->work, &t->lock);
    }
    return NULL;
}

/* Locked: returns the number of the next piece after that of the leader, or of
   one farther away if none had blocks. */
static uint64_t next_number(struct inflate_team *t)
{
    uint64_t after = t->position / 8 / t->bytes + 1;
    uint64_t number = t->next > after ? t->next : after;

    number += (UINT64_C(1) << t->failures) - 1;
    t->next = number + 1;
    return number;
}

/* Locked, but not while it decodes. */
static void work(struct inflate_team *t, struct piece *p)
{
    uint64_t number = next_number(t);
    bool is_found;

    if (number >= t->pieces)
        return;
    p->is_busy = true;
    p->is_unwanted = false;
    t->busy++;
    pthread_mutex_unlock(&t->lock);
    is_found = decode_piece(t, p, number);
    pthread_mutex_lock(&t->lock);
    t->busy--;
    p->is_busy = false;
    t->failures = is_found ? 0 : t->failures + (t->failures < FAILURES);
    if (t->is_paused)
        pthread_cond_signal(&t->idle);
}

static void *help(void *team)
{
    struct inflate_team *t = team;
    struct piece *p;

    /* On Linux that is the priority of this thread only. */
    (void)setpriority(PRIO_PROCESS, 0, LOWEST_PRIORITY);
    pthread_mutex_lock(&t->lock);
    while ((p = wait_for_piece(t)))
        work(t, p);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* ---- The team --------------------------------------------------------- */

struct inflate_team *inflate_team_create(int fd, off_t from, size_t piece)
{
    struct inflate_team *t;
    struct stat st;

    piece = piece ? piece : PIECE;
    if (fstat(fd, &st) < 0 || (st.st_size - from) / (off_t)piece < LEAST)
        return NULL;
    t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->fd = fd;
    t->from = from;
    t->bytes = piece;
    t->pieces = (uint64_t)(st.st_size - from) / piece;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->work, NULL);
    pthread_cond_init(&t->idle, NULL);
    return t;
}

void inflate_team_free(struct inflate_team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->is_over = true;
    t->position = UINT64_MAX; /* nothing is wanted any more */
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
    while (t->helpers)
        pthread_join(t->helper[--t->helpers], NULL);
    for (unsigned i = 0; i < t->slots; i++) {
        deflate_symbols_free(&t->piece[i].symbols);
        free(t->piece[i].data);
    }
    pthread_cond_destroy(&t->idle);
    pthread_cond_destroy(&t->work);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

void inflate_team_set_helpers(struct inflate_team *t, unsigned n)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->wanted = n < MOST_HELPERS ? n : MOST_HELPERS;
    pthread_mutex_unlock(&t->lock);
}

void inflate_team_pause(struct inflate_team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->is_paused = true;
    while (t->busy)
        pthread_cond_wait(&t->idle, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void inflate_team_resume(struct inflate_team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->is_paused = false;
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
}

/* ---- The leader ------------------------------------------------------- */

/* Locked: starts helpers.  They block signals, as the leader's thread does. */
static void start_helpers(struct inflate_team *t)
{
    while (t->helpers < t->wanted &&
           pthread_create(&t->helper[t->helpers], NULL, help, t) == 0)
        t->helpers++;
    t->wanted = t->helpers; /* where the system has no more threads */
    t->slots = 2 * t->helpers;
}

/* Locked. */
static void drop(struct inflate_team *t, struct piece *p)
{
    p->is_taken = false;
    p->is_unwanted = true;
    p->done.n = 0;
    pthread_cond_signal(&t->work);
}

uint64_t inflate_team_next(struct inflate_team *t, uint64_t position)
{
    uint64_t next = DEFLATE_NOWHERE;

    pthread_mutex_lock(&t->lock);
    t->position = position;
    if (t->helpers < t->wanted)
        start_helpers(t);
    for (unsigned i = 0; i < t->slots; i++) {
        struct piece *p = &t->piece[i];

        if (!p->done.n || p->is_taken)
            continue;
        if (p->begin < position)
            drop(t, p);
        else if (p->begin < next)
            next = p->begin;
    }
    pthread_mutex_unlock(&t->lock);
    return next;
}

struct inflate_blocks inflate_team_take(struct inflate_team *t,
                                        uint64_t position)
{
    struct inflate_blocks taken = {0};

    pthread_mutex_lock(&t->lock);
    for (unsigned i = 0; i < t->slots; i++) {
        struct piece *p = &t->piece[i];

        if (p->done.n && p->begin == position) {
            p->is_taken = true;
            taken = p->done;
        }
    }
    t->helped += taken.n;
    pthread_mutex_unlock(&t->lock);
    return taken;
}

void inflate_team_return(struct inflate_team *t)
{
    pthread_mutex_lock(&t->lock);
    for (unsigned i = 0; i < t->slots; i++)
        if (t->piece[i].is_taken)
            drop(t, &t->piece[i]);
    pthread_mutex_unlock(&t->lock);
}

uint64_t inflate_team_helped(const struct inflate_team *t)
{
    return t->helped;
}
