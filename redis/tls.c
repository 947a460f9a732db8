/*
 * tls.c - a connection that nobody else can read
 */
#include "tls.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef FRESHET_HAVE_OPENSSL

#    include <openssl/err.h>
#    include <openssl/ssl.h>
#    include <openssl/x509v3.h>
#    include <signal.h>
#    include <string.h>
#    include <time.h>

struct tls {
    SSL_CTX *context;
    SSL *ssl;
    short wants;
};

static void explain(struct tls *t, struct fault *why)
{
    long verified = SSL_get_verify_result(t->ssl);
    unsigned long code = ERR_get_error();

    if (verified != X509_V_OK)
        fault_set(why, "the certificate is not accepted: %s",
                  X509_verify_cert_error_string(verified));
    else
        fault_set(why, "TLS: %s",
                  code ? ERR_reason_error_string(code) : "connection closed");
}

static bool name_host(struct tls *t, const char *host)
{
    X509_VERIFY_PARAM *rules = SSL_get0_param(t->ssl);
    char *copy; /* for the macro's cast, which drops const */
    bool named;

    if (X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1)
        return true;
    copy = strdup(host);
    named = copy && SSL_set1_host(t->ssl, host) == 1 &&
            SSL_set_tlsext_host_name(t->ssl, copy) == 1;
    free(copy);
    return named;
}

struct tls *tls_create(int fd, const char *host, struct fault *why)
{
    struct tls *t = calloc(1, sizeof *t);

    if (t)
        t->context = SSL_CTX_new(TLS_client_method());
    if (t && t->context && SSL_CTX_set_default_verify_paths(t->context) == 1 &&
        SSL_CTX_set_min_proto_version(t->context, TLS1_2_VERSION) == 1) {
        SSL_CTX_set_verify(t->context, SSL_VERIFY_PEER, NULL);
        t->ssl = SSL_new(t->context);
    }
    if (t && t->ssl && SSL_set_fd(t->ssl, fd) == 1 && name_host(t, host))
        return t;
    fault_set(why, "no memory for TLS");
    tls_free(t);
    return NULL;
}

void tls_free(struct tls *t)
{
    if (!t)
        return;
    SSL_free(t->ssl);
    SSL_CTX_free(t->context);
    free(t);
}

/* What OpenSSL answered, in the way of read() and write(). */
static ssize_t result(struct tls *t, int n, struct fault *why)
{
    int error = n > 0 ? SSL_ERROR_NONE : SSL_get_error(t->ssl, n);

    if (error == SSL_ERROR_NONE)
        return n;
    if (error == SSL_ERROR_ZERO_RETURN)
        return 0;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        t->wants = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
        errno = EAGAIN;
        return -1;
    }
    if (error != SSL_ERROR_SYSCALL || errno == 0) {
        explain(t, why);
        errno = EPROTO;
    }
    return -1;
}

static int some(size_t len)
{
    return len < 1 << 20 ? (int)len : 1 << 20;
}

ssize_t tls_greet(struct tls *t, struct fault *why)
{
    ERR_clear_error();
    errno = 0;
    return result(t, SSL_connect(t->ssl), why);
}

ssize_t tls_read(struct tls *t, char *to, size_t len, struct fault *why)
{
    ERR_clear_error();
    errno = 0;
    return result(t, SSL_read(t->ssl, to, some(len)), why);
}

/* OpenSSL writes without a word on SIGPIPE, which is for the output alone. */
ssize_t tls_write(struct tls *t, const char *at, size_t len, struct fault *why)
{
    static const struct timespec at_once;
    sigset_t broken, before;
    ssize_t n;
    int error;

    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ERR_clear_error();
    errno = 0;
    n = result(t, SSL_write(t->ssl, at, some(len)), why);
    error = errno;
    if (n < 0 && error == EPIPE)
        (void)sigtimedwait(&broken, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return n;
}

short tls_wants(const struct tls *t)
{
    return t->wants;
}

#else

struct tls *tls_create(int fd, const char *host, struct fault *why)
{
    (void)fd;
    (void)host;
    fault_set(why, "this freshet was built without OpenSSL, so rediss:// is "
                   "not there");
    return NULL;
}

void tls_free(struct tls *t)
{
    (void)t;
}

ssize_t tls_greet(struct tls *t, struct fault *why)
{
    (void)t;
    (void)why;
    errno = ENOTSUP;
    return -1;
}

ssize_t tls_read(struct tls *t, char *to, size_t len, struct fault *why)
{
    (void)to;
    (void)len;
    return tls_greet(t, why);
}

ssize_t tls_write(struct tls *t, const char *at, size_t len, struct fault *why)
{
    (void)at;
    (void)len;
    return tls_greet(t, why);
}

short tls_wants(const struct tls *t)
{
    (void)t;
    return POLLIN;
}

#endif
