/*
 * openssl.h - OpenSSL, loaded when a rediss:// URL asks for it
 *
 * Loading it takes longer than everything else that the program does on a
 * short input, and few runs need it.
 */
#ifndef OPENSSL_H
#define OPENSSL_H

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "fault.h"

#define OPENSSL_FUNCTIONS(F)                                                   \
    F(ERR_clear_error)                                                         \
    F(ERR_get_error)                                                           \
    F(ERR_reason_error_string)                                                 \
    F(SSL_CTX_ctrl)                                                            \
    F(SSL_CTX_free)                                                            \
    F(SSL_CTX_new)                                                             \
    F(SSL_CTX_set_default_verify_paths)                                        \
    F(SSL_CTX_set_verify)                                                      \
    F(SSL_connect)                                                             \
    F(SSL_ctrl)                                                                \
    F(SSL_free)                                                                \
    F(SSL_get0_param)                                                          \
    F(SSL_get_error)                                                           \
    F(SSL_get_verify_result)                                                   \
    F(SSL_new)                                                                 \
    F(SSL_read)                                                                \
    F(SSL_set1_host)                                                           \
    F(SSL_set_fd)                                                              \
    F(SSL_write)                                                               \
    F(TLS_client_method)                                                       \
    F(X509_VERIFY_PARAM_set1_ip_asc)                                           \
    F(X509_verify_cert_error_string)

#define OPENSSL_POINTER(name) __typeof__(name) *name;
struct openssl {
    OPENSSL_FUNCTIONS(OPENSSL_POINTER)
};
#undef OPENSSL_POINTER

/* The same at each call.  NULL: why it cannot be loaded. */
const struct openssl *openssl_load(struct fault *why);

#endif
