/*
 * inject.c - a library to be preloaded that lets chosen system calls fail
 *
 *     FAULT="write@1:3:ENOSPC;fsync@state.tmp:1-:EIO;read:2-9:short7"
 *
 * A rule is CALL[@WHERE]:FIRST[-[LAST]]:ACTION.  WHERE is a file descriptor or
 * a part of a path; FIRST and LAST count the calls that match, from 1; "-"
 * alone has no end.  ACTION is the name of an error, or shortN: at most N bytes
 * are read or written.  "child/CALL" is a call in a process that was forked.
 * With FAULT_LOG each fault adds a line to that file, so that a test knows that
 * its fault did happen.
 *
 * Compiled with FAULT_MEMORY it also has "alloc", any allocation of memory,
 * which sanitizers do not bear.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RULES = 8 };

static struct rule {
    char call[24], where[64];
    bool child;
    unsigned long first, last, most; /* most: of shortN, 0 for an error */
    int error;
    atomic_ulong calls;
} rules[RULES];
static int n_rules;
static pid_t first_process;

/* ---- Rules ------------------------------------------------------------ */

static const struct {
    const char *name;
    int number;
} errors[] = {
    {"EINTR", EINTR},   {"EAGAIN", EAGAIN},
    {"EIO", EIO},       {"ENOSPC", ENOSPC},
    {"EPIPE", EPIPE},   {"EMFILE", EMFILE},
    {"ENOMEM", ENOMEM}, {"EXDEV", EXDEV},
    {"ENOLCK", ENOLCK}, {"ECHILD", ECHILD},
    {"EPERM", EPERM},   {"EACCES", EACCES},
    {"EDQUOT", EDQUOT}, {"EROFS", EROFS},
    {"ENOSYS", ENOSYS}, {"EFBIG", EFBIG},
    {"ENOENT", ENOENT}, {"ECONNRESET", ECONNRESET},
    {"EINVAL", EINVAL}, {"EWOULDBLOCK", EWOULDBLOCK},
};

static void bad_rule(const char *text)
{
    fprintf(stderr, "inject: no rule: %s\n", text);
    _exit(99);
}

static void read_action(struct rule *r, const char *text)
{
    if (strncmp(text, "short", 5) == 0)
        r->most = strtoul(text + 5, NULL, 10);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(text, errors[i].name) == 0)
            r->error = errors[i].number;
    if (!r->most && !r->error)
        bad_rule(text);
}

static void read_rule(char *text)
{
    struct rule *r = &rules[n_rules++];
    char *call = strtok(text, ":"), *count = strtok(NULL, ":"),
         *action = strtok(NULL, ":"), *where;

    if (!call || !count || !action || n_rules == RULES)
        bad_rule(text);
    r->child = strncmp(call, "child/", 6) == 0;
    call += r->child ? 6 : 0;
    where = strchr(call, '@');
    if (where)
        *where++ = '\0';
    snprintf(r->call, sizeof r->call, "%s", call);
    snprintf(r->where, sizeof r->where, "%s", where ? where : "");
    r->first = r->last = strtoul(count, &count, 10);
    if (*count == '-')
        r->last = count[1] ? strtoul(count + 1, NULL, 10) : (unsigned long)-1;
    read_action(r, action);
}

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("FAULT");
    char copy[512], *rule, *rest = copy;

    first_process = getpid();
    snprintf(copy, sizeof copy, "%s", text ? text : "");
    while ((rule = strsep(&rest, ";")))
        if (*rule)
            read_rule(rule);
}

static void note(const struct rule *r)
{
    const char *log = getenv("FAULT_LOG");
    long fd;

    if (!log)
        return;
    fd =
        syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    (void)!syscall(SYS_write, fd, r->call, strlen(r->call));
    (void)!syscall(SYS_write, fd, "\n", 1);
    syscall(SYS_close, fd);
}

/* Is this file descriptor or path the one that the rule is about? */
static bool is_there(const struct rule *r, int fd, const char *path)
{
    char link[64], name[512];
    long n;

    if (!*r->where)
        return true;
    if (strspn(r->where, "0123456789") == strlen(r->where))
        return !path && fd == atoi(r->where);
    if (path)
        return strstr(path, r->where);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
    name[n < 0 ? 0 : n] = '\0';
    return strstr(name, r->where);
}

/* Returns the rule that this call meets, or NULL. */
static const struct rule *meet(const char *call, int fd, const char *path)
{
    for (int i = 0; i < n_rules; i++) {
        struct rule *r = &rules[i];
        unsigned long n;

        if (strcmp(r->call, call) != 0 || !is_there(r, fd, path) ||
            r->child != (getpid() != first_process))
            continue;
        n = atomic_fetch_add(&r->calls, 1) + 1;
        if (n >= r->first && n <= r->last) {
            note(r);
            return r;
        }
    }
    return NULL;
}

/* Should the call fail?  Then errno is set. */
static bool fails(const char *call, int fd, const char *path)
{
    const struct rule *r = meet(call, fd, path);

    if (!r || !r->error)
        return false;
    errno = r->error;
    return true;
}

/* The same for a call of n bytes, which may become fewer. */
static bool fails_of(const char *call, int fd, size_t *n)
{
    const struct rule *r = meet(call, fd, NULL);

    if (r && r->most && *n > r->most)
        *n = r->most;
    errno = r ? r->error : errno;
    return r && r->error;
}

/* ---- Calls ------------------------------------------------------------ */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t read(int fd, void *to, size_t n)
{
    return fails_of("read", fd, &n) ? -1 : REAL(read)(fd, to, n);
}

ssize_t __read_chk(int fd, void *to, size_t n, size_t size);
ssize_t __read_chk(int fd, void *to, size_t n, size_t size)
{
    (void)size;
    return read(fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
    return fails_of("pread", fd, &n) ? -1 : REAL(pread)(fd, to, n, at);
}

ssize_t write(int fd, const void *from, size_t n)
{
    return fails_of("write", fd, &n) ? -1 : REAL(write)(fd, from, n);
}

ssize_t writev(int fd, const struct iovec *from, int n)
{
    size_t first = from->iov_len;

    if (n < 1 || (n_rules == 0 && n > 1))
        return REAL(writev)(fd, from, n);
    if (fails_of("write", fd, &first))
        return -1;
    return first < from->iov_len ? REAL(write)(fd, from->iov_base, first)
                                 : REAL(writev)(fd, from, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
    return fails_of("pwrite", fd, &n) ? -1 : REAL(pwrite)(fd, from, n, at);
}

int fsync(int fd)
{
    return fails("fsync", fd, NULL) ? -1 : REAL(fsync)(fd);
}

int fdatasync(int fd)
{
    return fails("fsync", fd, NULL) ? -1 : REAL(fdatasync)(fd);
}

int rename(const char *from, const char *to)
{
    return fails("rename", -1, to) ? -1 : REAL(rename)(from, to);
}

int ftruncate(int fd, off_t size)
{
    return fails("ftruncate", fd, NULL) ? -1 : REAL(ftruncate)(fd, size);
}

int fchmod(int fd, mode_t mode)
{
    return fails("fchmod", fd, NULL) ? -1 : REAL(fchmod)(fd, mode);
}

int close(int fd)
{
    if (!fails("close", fd, NULL))
        return REAL(close)(fd);
    REAL(close)(fd);
    errno = EIO;
    return -1;
}

int open(const char *path, int flags, ...)
{
    mode_t mode;
    va_list ap;

    va_start(ap, flags);
    mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return fails("open", -1, path) ? -1 : REAL(open)(path, flags, mode);
}

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open(path, flags, 0);
}

int flock(int fd, int operation)
{
    return fails("flock", fd, NULL) ? -1 : REAL(flock)(fd, operation);
}

pid_t fork(void)
{
    return fails("fork", -1, NULL) ? -1 : REAL(fork)();
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    return fails("wait4", -1, NULL) ? -1 : REAL(waitpid)(pid, status, options);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t from)
{
    return fails("mmap", fd, NULL)
               ? MAP_FAILED
               : REAL(mmap)(at, n, protection, flags, fd, from);
}

int madvise(void *at, size_t n, int advice)
{
    return fails("madvise", -1, NULL) ? -1 : REAL(madvise)(at, n, advice);
}

ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    return fails("getrandom", -1, NULL) ? -1 : REAL(getrandom)(to, n, flags);
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    return fails("poll", -1, NULL) ? -1 : REAL(poll)(fds, n, timeout);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
          const sigset_t *mask)
{
    return fails("poll", -1, NULL) ? -1 : REAL(ppoll)(fds, n, timeout, mask);
}

int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                const sigset_t *mask, size_t size);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                const sigset_t *mask, size_t size)
{
    (void)size;
    return ppoll(fds, n, timeout, mask);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *with)
{
    if (fails("clone", -1, NULL))
        return errno;
    return REAL(pthread_create)(thread, attributes, run, with);
}

int connect(int fd, const struct sockaddr *to, socklen_t n)
{
    return fails("connect", -1, NULL) ? -1 : REAL(connect)(fd, to, n);
}

int socket(int domain, int type, int protocol)
{
    return fails("socket", -1, NULL) ? -1
                                     : REAL(socket)(domain, type, protocol);
}

ssize_t recv(int fd, void *to, size_t n, int flags)
{
    return fails_of("recv", -1, &n) ? -1 : REAL(recv)(fd, to, n, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct iovec first = message->msg_iov[0];
    struct msghdr shorter = *message;
    size_t n = first.iov_len;

    if (fails_of("send", -1, &n))
        return -1;
    if (n == first.iov_len)
        return REAL(sendmsg)(fd, message, flags);
    first.iov_len = n;
    shorter.msg_iov = &first;
    shorter.msg_iovlen = 1;
    return REAL(sendmsg)(fd, &shorter, flags);
}

#ifdef FAULT_MEMORY

/* ---- Memory ----------------------------------------------------------- */

/* The C library's own names: dlsym() would allocate memory itself. */
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *at, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);

void *malloc(size_t n)
{
    return fails("alloc", -1, NULL) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails("alloc", -1, NULL) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *at, size_t n)
{
    return fails("alloc", -1, NULL) ? NULL : __libc_realloc(at, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    return fails("alloc", -1, NULL) ? NULL : __libc_memalign(alignment, n);
}

#endif
