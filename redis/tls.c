/*
 * tls.c - an encrypted connection
 */
#include "tls.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef FRESHET_HAVE_OPENSSL

#    include <signal.h>
#    include <string.h>
#    include <time.h>

#    include <openssl/err.h>
#    include <openssl/ssl.h>
#    include <openssl/x509v3.h>

#    include "library.h"

#    define VERSION LIBRARY_TEXT_OF(OPENSSL_SHLIB_VERSION)
#    define FUNCTIONS(F)                                                       \
        F(ERR_clear_error)                                                     \
        F(ERR_get_error)                                                       \
        F(ERR_reason_error_string)                                             \
        F(SSL_CTX_ctrl)                                                        \
        F(SSL_CTX_free)                                                        \
        F(SSL_CTX_new)                                                         \
        F(SSL_CTX_set_default_verify_paths)                                    \
        F(SSL_CTX_set_verify)                                                  \
        F(SSL_connect)                                                         \
        F(SSL_ctrl)                                                            \
        F(SSL_free)                                                            \
        F(SSL_get0_param)                                                      \
        F(SSL_get_error)                                                       \
        F(SSL_get_verify_result)                                               \
        F(SSL_new)                                                             \
        F(SSL_read)                                                            \
        F(SSL_set1_host)                                                       \
        F(SSL_set_fd)                                                          \
        F(SSL_write)                                                           \
        F(TLS_client_method)                                                   \
        F(X509_VERIFY_PARAM_set1_ip_asc)                                       \
        F(X509_verify_cert_error_string)
LIBRARY(openssl, "libssl.so." VERSION, "libssl" VERSION, FUNCTIONS)

bool tls_load(struct fault *why)
{
    return library_load(&openssl_library, "rediss://", why);
}

struct tls {
    SSL_CTX *context;
    SSL *ssl;
    short wants;
};

static void explain(struct tls *t, struct fault *why)
{
    long verified = openssl.SSL_get_verify_result(t->ssl);
    unsigned long code = openssl.ERR_get_error();

    if (verified != X509_V_OK)
        fault_set(why, "the certificate is not accepted: %s",
                  openssl.X509_verify_cert_error_string(verified));
    else
        fault_set(why, "TLS: %s",
                  code ? openssl.ERR_reason_error_string(code)
                       : "connection closed");
}

static bool name_host(struct tls *t, const char *host)
{
    X509_VERIFY_PARAM *rules = openssl.SSL_get0_param(t->ssl);
    char *name;
    bool named;

    if (openssl.X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1)
        return true;
    name = strdup(host); /* SSL_ctrl() takes no const, and copies it */
    named = name && openssl.SSL_set1_host(t->ssl, host) == 1 &&
            openssl.SSL_ctrl(t->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                             TLSEXT_NAMETYPE_host_name, name) == 1;
    free(name);
    return named;
}

struct tls *tls_create(int fd, const char *host, struct fault *why)
{
    struct tls *t = tls_load(why) ? calloc(1, sizeof *t) : NULL;

    /* analyzer: sees a leak; t is NULL unless the library is loaded */
    if (!openssl_library.loaded)
        return NULL; /* NOLINT(clang-analyzer-unix.Malloc): the same */
    if (t)
        t->context = openssl.SSL_CTX_new(openssl.TLS_client_method());
    if (t && t->context &&
        openssl.SSL_CTX_set_default_verify_paths(t->context) == 1 &&
        openssl.SSL_CTX_ctrl(t->context, SSL_CTRL_SET_MIN_PROTO_VERSION,
                             TLS1_2_VERSION, NULL) == 1) {
        openssl.SSL_CTX_set_verify(t->context, SSL_VERIFY_PEER, NULL);
        t->ssl = openssl.SSL_new(t->context);
    }
    if (t && t->ssl && openssl.SSL_set_fd(t->ssl, fd) == 1 &&
        name_host(t, host))
        return t;
    fault_set(why, "no memory for TLS");
    tls_free(t);
    return NULL;
}

void tls_free(struct tls *t)
{
    if (!t)
        return;
    openssl.SSL_free(t->ssl);
    openssl.SSL_CTX_free(t->context);
    free(t);
}

/* Converts a result of OpenSSL to one of read() or write(). */
static ssize_t result(struct tls *t, int n, struct fault *why)
{
    int error = n > 0 ? SSL_ERROR_NONE : openssl.SSL_get_error(t->ssl, n);

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
    openssl.ERR_clear_error();
    errno = 0;
    return result(t, openssl.SSL_connect(t->ssl), why);
}

ssize_t tls_read(struct tls *t, char *to, size_t len, struct fault *why)
{
    openssl.ERR_clear_error();
    errno = 0;
    return result(t, openssl.SSL_read(t->ssl, to, some(len)), why);
}

/* OpenSSL writes without MSG_NOSIGNAL, and SIGPIPE is for the output alone. */
ssize_t tls_write(struct tls *t, const char *at, size_t len, struct fault *why)
{
    static const struct timespec at_once;
    sigset_t broken, before;
    ssize_t n;
    int error;

    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    openssl.ERR_clear_error();
    errno = 0;
    n = result(t, openssl.SSL_write(t->ssl, at, some(len)), why);
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

bool tls_load(struct fault *why)
{
    fault_set(why,
              "rediss:// needs OpenSSL, and this freshet was built without it");
    return false;
}

struct tls *tls_create(int fd, const char *host, struct fault *why)
{
    (void)fd;
    (void)host;
    (void)tls_load(why);
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
