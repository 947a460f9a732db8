/*
 * unpacker.c - decompresses a file in a thread of its own
 */
#include "unpacker.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blocks.h"
#include "decompress.h"
#include "inflate_team.h"
#include "signals.h"

enum {
    SEVERAL = 64,    /* a reader that waits is woken for this share of the most
                         that may wait for it */
    SMALL = 32 << 10 /* bytes of a file that can be decompressed in one to ten
                         times the time that starting a thread takes */
};

struct unpacker {
    int fd;
    off_t began;
    struct decompress *decompress; /* used by the thread only */
    struct inflate_team *team;     /* NULL: nobody can help */
    struct blocks *blocks;
    pthread_t thread;

    pthread_mutex_t lock;       /* protects the fields below */
    pthread_cond_t more;        /* the reader waits for more */
    pthread_cond_t room;        /* the thread waits for room */
    struct block *first, *last; /* full blocks, in order */
    size_t full;                /* number of full blocks */
    size_t most;                /* limit of full blocks, unless the reader needs
                                   more */
    size_t wanted;              /* bytes that the reader waits for; 0: it does
                                   not wait */
    size_t ready;               /* bytes in full blocks */
    bool is_over, is_paused, is_idle;
    bool has_ended; /* there will be no more blocks */
    int error;      /* errno at the end, if result is -1 */
    ssize_t result;
    struct fault fault;

    size_t at; /* offset in the first block; used by the reader only */
    uint64_t taken;
};

/* ---- The thread ------------------------------------------------------- */

/* To be called with the lock.  Returns false if the thread is to end. */
static bool wait_for_room(struct unpacker *u)
{
    while (!u->is_over &&
           (u->is_paused || (u->full >= u->most && u->ready >= u->wanted))) {
        u->is_idle = true;
        pthread_cond_signal(&u->more);
        pthread_cond_wait(&u->room, &u->lock);
    }
    u->is_idle = false;
    return !u->is_over;
}

/* Returns whether a read that failed may succeed when it is tried again. */
static bool is_passing(int error)
{
    return error == EINTR || error == EAGAIN;
}

/* Fills a block, up to the end of the file.  Returns the last result of
   decompress_read(). */
static ssize_t fill(struct unpacker *u, struct block *b, struct fault *why)
{
    ssize_t got;
    off_t now;

    b->next = NULL;
    b->len = 0;
    do {
        got = decompress_read(u->decompress, b->bytes + b->len, BLOCK - b->len,
                              why);
        b->len += got > 0 ? (size_t)got : 0;
    } while (got > 0 ? b->len < BLOCK : got < 0 && is_passing(errno));
    now = lseek(u->fd, 0, SEEK_CUR);
    b->taken = now > u->began ? (uint64_t)(now - u->began) : 0;
    return got;
}

/* To be called with the lock. */
static void append(struct unpacker *u, struct block *b)
{
    if (u->last)
        u->last->next = b;
    else
        u->first = b;
    u->last = b;
    u->full++;
    u->ready += b->len;
}

/* To be called with the lock, which it releases meanwhile.  Returns whether
   there may be more. */
static bool unpack_block(struct unpacker *u)
{
    struct fault why = {""};
    struct block *b;
    ssize_t got;
    int error;

    pthread_mutex_unlock(&u->lock);
    b = blocks_take(u->blocks);
    got = b ? fill(u, b, &why) : -1;
    error = b ? errno : ENOMEM;
    pthread_mutex_lock(&u->lock);
    if (b)
        append(u, b);
    if (got > 0)
        return true;
    u->result = got;
    u->error = error;
    u->fault = why;
    return false;
}

static void *run(void *arg)
{
    struct unpacker *u = arg;

    pthread_mutex_lock(&u->lock);
    while (wait_for_room(u)) {
        bool more = unpack_block(u);

        u->has_ended = !more;
        if (u->wanted && (u->has_ended || u->ready >= u->wanted))
            pthread_cond_signal(&u->more);
        if (!more)
            break;
    }
    u->is_idle = true;
    pthread_cond_signal(&u->more);
    pthread_mutex_unlock(&u->lock);
    return NULL;
}

/* ---- Making ------------------------------------------------------------ */

/* Signals are blocked: the caller's thread handles them. */
static bool start(struct unpacker *u)
{
    bool started;

    signals_hold(true);
    started = pthread_create(&u->thread, NULL, run, u) == 0;
    signals_hold(false);
    return started;
}

bool unpacker_is_worth(int fd)
{
    unsigned char first[DECOMPRESS_MAGIC];
    off_t began = lseek(fd, 0, SEEK_CUR);
    struct stat st;

    return began >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
           st.st_size - began >= SMALL &&
           pread(fd, first, sizeof first, began) == (ssize_t)sizeof first &&
           decompress_begins(first, sizeof first);
}

static size_t blocks_of(size_t bytes)
{
    return bytes < BLOCK ? 1 : bytes / BLOCK;
}

static void free_unpacker(struct unpacker *u)
{
    blocks_return(u->blocks, u->first);
    decompress_free(u->decompress);
    inflate_team_free(u->team);
    pthread_cond_destroy(&u->room);
    pthread_cond_destroy(&u->more);
    pthread_mutex_destroy(&u->lock);
    free(u);
}

struct unpacker *unpacker_create(int fd, size_t ahead, struct blocks *blocks)
{
    struct unpacker *u = calloc(1, sizeof *u);

    if (!u)
        return NULL;
    u->fd = fd;
    u->blocks = blocks;
    u->began = lseek(fd, 0, SEEK_CUR);
    u->most = blocks_of(ahead);
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->more, NULL);
    pthread_cond_init(&u->room, NULL);
    u->team = inflate_team_create(fd, u->began, 0);
    u->decompress = decompress_create(fd, true);
    if (u->decompress) {
        decompress_use_team(u->decompress, u->team);
        if (start(u))
            return u;
    }
    free_unpacker(u);
    return NULL;
}

void unpacker_free(struct unpacker *u)
{
    if (!u)
        return;
    pthread_mutex_lock(&u->lock);
    u->is_over = true;
    pthread_cond_signal(&u->room);
    pthread_mutex_unlock(&u->lock);
    pthread_join(u->thread, NULL);
    free_unpacker(u);
}

void unpacker_set_ahead(struct unpacker *u, size_t ahead)
{
    pthread_mutex_lock(&u->lock);
    u->most = blocks_of(ahead);
    pthread_cond_signal(&u->room);
    pthread_mutex_unlock(&u->lock);
}

void unpacker_set_helpers(struct unpacker *u, unsigned n)
{
    if (u)
        inflate_team_set_helpers(u->team, n);
}

/* ---- The reader ------------------------------------------------------- */

/* To be called with the lock.  A reader that has to wait is woken for several
   reads. */
static void wait_for(struct unpacker *u, size_t n)
{
    size_t most = u->most * BLOCK, several = most / SEVERAL;

    n = n < most ? n : most;
    if (u->ready >= n || u->has_ended)
        return;
    u->wanted = n > several ? n : several;
    pthread_cond_signal(&u->room);
    while (u->ready < u->wanted && !u->has_ended)
        pthread_cond_wait(&u->more, &u->lock);
    u->wanted = 0;
}

/* To be called with the lock, when the first block was read. */
static void drop_first(struct unpacker *u)
{
    struct block *b = u->first;

    u->first = b->next;
    if (!u->first)
        u->last = NULL;
    u->at = 0;
    u->taken = b->taken;
    u->full--;
    b->next = NULL;
    blocks_return(u->blocks, b);
    if (u->full <= u->most / 4 * 3) /* so that the thread is woken for many
                                   blocks */
        pthread_cond_signal(&u->room);
}

/* To be called with the lock, which it releases meanwhile.  The thread never
   changes a full block. */
static size_t copy(struct unpacker *u, unsigned char *out, size_t n)
{
    const struct block *b = u->first;
    size_t left = b->len - u->at, len = left < n ? left : n;

    pthread_mutex_unlock(&u->lock);
    memcpy(out, b->bytes + u->at, len);
    pthread_mutex_lock(&u->lock);
    u->at += len;
    u->ready -= len;
    if (u->at == b->len)
        drop_first(u);
    return len;
}

ssize_t unpacker_read(struct unpacker *u, void *out, size_t n,
                      struct fault *why)
{
    ssize_t result = 0;
    size_t done = 0;

    pthread_mutex_lock(&u->lock);
    wait_for(u, n);
    while (done < n && u->ready)
        done += copy(u, (unsigned char *)out + done, n - done);
    if (!done) {
        result = u->result;
        *why = u->fault;
        errno = u->error;
    }
    pthread_mutex_unlock(&u->lock);
    return done ? (ssize_t)done : result;
}

bool unpacker_has_plenty(struct unpacker *u)
{
    bool result;

    pthread_mutex_lock(&u->lock);
    result = u->has_ended || u->full >= u->most / 2;
    pthread_mutex_unlock(&u->lock);
    return result;
}

uint64_t unpacker_taken(const struct unpacker *u)
{
    return u->taken;
}

/* ---- Rest ------------------------------------------------------------- */

void unpacker_pause(struct unpacker *u)
{
    if (!u)
        return;
    pthread_mutex_lock(&u->lock);
    u->is_paused = true;
    while (!u->is_idle)
        pthread_cond_wait(&u->more, &u->lock);
    pthread_mutex_unlock(&u->lock);
    inflate_team_pause(u->team);
}

void unpacker_resume(struct unpacker *u)
{
    if (!u)
        return;
    inflate_team_resume(u->team);
    pthread_mutex_lock(&u->lock);
    u->is_paused = false;
    pthread_cond_signal(&u->room);
    pthread_mutex_unlock(&u->lock);
}
