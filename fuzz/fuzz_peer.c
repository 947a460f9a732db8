/*
 * fuzz_peer.c - whatever a server answers, --remote ends: with verdicts on all
 * keys, or with a reason
 *
 * System calls are replaced (--wrap): each recv() returns the next piece of the
 * input, two bytes for its length and the bytes, or the end of the connection.
 * Every address can be connected to, whatever MOVED, ASK and CLUSTER SLOTS say.
 * Time passes when it is read, so nothing waits.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "redis.h"

enum { KEYS = 40, DECISIONS = 6 };

static struct input peer;
static uint64_t now;
static int open_sockets;

/* ---- The system ------------------------------------------------------- */

int __wrap_getaddrinfo(const char *host, const char *service,
                       const struct addrinfo *hints, struct addrinfo **out);
void __wrap_freeaddrinfo(struct addrinfo *a);
int __wrap_socket(int domain, int type, int protocol);
int __wrap_connect(int fd, const struct sockaddr *to, socklen_t n);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
int __wrap_nanosleep(const struct timespec *pause, struct timespec *left);
uint64_t __wrap_clock_now(void);
int __real_close(int fd);
int __wrap_close(int fd);

int __wrap_getaddrinfo(const char *host, const char *service,
                       const struct addrinfo *hints, struct addrinfo **out)
{
    static struct sockaddr_in address = {.sin_family = AF_INET};
    static struct addrinfo one = {.ai_family = AF_INET,
                                  .ai_addr = (struct sockaddr *)&address,
                                  .ai_addrlen = sizeof address};

    (void)hints;
    MUST(host && service && strlen(host) < 256);
    *out = &one;
    return 0;
}

void __wrap_freeaddrinfo(struct addrinfo *a)
{
    (void)a;
}

int __wrap_socket(int domain, int type, int protocol)
{
    int fd = dup(STDERR_FILENO);

    (void)domain;
    (void)type;
    (void)protocol;
    open_sockets += fd >= 0;
    return fd;
}

int __wrap_close(int fd)
{
    open_sockets--;
    return __real_close(fd);
}

int __wrap_connect(int fd, const struct sockaddr *to, socklen_t n)
{
    (void)fd;
    (void)to;
    (void)n;
    return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    (void)fds;
    now += (uint64_t)timeout * 1000000;
    return (int)n;
}

ssize_t __wrap_recv(int fd, void *to, size_t n, int flags)
{
    size_t len = (size_t)take(&peer, 2);

    (void)fd;
    (void)flags;
    len = len < peer.left ? len : peer.left;
    len = len < n ? len : n;
    memcpy(to, peer.at, len);
    peer.at += len;
    peer.left -= len;
    return (ssize_t)len;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    size_t n = 0;

    (void)fd;
    (void)flags;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        n += message->msg_iov[i].iov_len;
    return (ssize_t)n;
}

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left)
{
    (void)left;
    now += (uint64_t)pause->tv_nsec;
    return 0;
}

uint64_t __wrap_clock_now(void)
{
    return ++now;
}

/* ---- A run ------------------------------------------------------------ */

static bool hash_again(void *context, const freshet_hasher *hasher)
{
    freshet_hash *hash = context;

    for (uint64_t i = 0; i < KEYS; i++)
        hash[i] = freshet_hash_with(hasher, &i, sizeof i);
    return true;
}

/* Decides one window of keys.  Returns whether the run continues. */
static bool decide(struct decider *d)
{
    static freshet_hash hash[KEYS];
    uint8_t verdict[KEYS];
    struct decision b = {.n = KEYS,
                         .hash = hash,
                         .verdict = verdict,
                         .rehash = hash_again,
                         .rehash_context = hash};
    struct fault why = {""};

    memset(verdict, 0xee, sizeof verdict);
    hash_again(hash, &d->hasher);
    d->type->submit(d, &b);
    if (!d->type->collect(d, &b, &why)) {
        must_be_line(why.text);
        return false;
    }
    for (size_t i = 0; i < KEYS; i++)
        MUST(verdict[i] == VERDICT_NEW || verdict[i] == VERDICT_REPEAT ||
             verdict[i] == VERDICT_UNDECIDED);
    if (d->type->written)
        d->type->written(d, KEYS);
    return true;
}

static void run(struct decider *d)
{
    freshet_info info = {.size = sizeof info};
    struct fault why = {""};

    for (int i = 0; i < DECISIONS && decide(d); i++)
        ;
    if (d->type->finish && !d->type->finish(d, &why))
        must_be_line(why.text);
    d->type->info(d, &info);
    decider_close(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const urls[] = {"redis://h/f", "redis://h:1,g:2/f",
                                       "redis://user:word@h/f",
                                       "unix:///socket/f"};
    struct goal_args goal = {.memory = 1 << 20};
    struct redis_args args = {.retry = 500000000};
    struct fault why = {""};
    struct decider *d;
    uint64_t bits;

    peer = (struct input){data, size};
    bits = take(&peer, 1);
    now = 1;
    open_sockets = 0;
    args.url = urls[bits % 4];
    args.shards = bits >> 2 & 1 ? 3 : 1;
    args.on_error = bits >> 3 & 1 ? REDIS_PASS : REDIS_STOP;
    args.at_least_once = bits >> 4 & 1;
    d = decider_redis(&args, &goal, &why);
    if (d)
        run(d);
    else
        must_be_line(why.text);
    MUST(open_sockets == 0);
    return 0;
}
