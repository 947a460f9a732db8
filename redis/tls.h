/*
 * tls.h - an encrypted connection
 *
 * The server's certificate is checked against the system's authorities, or
 * those that SSL_CERT_FILE names, and against the host's name.
 */
#ifndef TLS_H
#define TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "fault.h"

struct tls;

/* Loads the TLS library.  Returns false and sets *why if that fails. */
bool tls_load(struct fault *why);

/* Makes a session on a non-blocking socket; tls_greet() begins it.  Returns
   NULL and sets *why if that fails. */
struct tls *tls_create(int fd, const char *host, struct fault *why);
void tls_free(struct tls *t);

/*
 * Each returns the bytes that were transferred, or -1 and errno: EAGAIN if
 * tls_wants() says what to poll for, EPROTO with why.  tls_read() returns 0 at
 * the end.
 */
ssize_t tls_greet(struct tls *t, struct fault *why);
ssize_t tls_read(struct tls *t, char *to, size_t len, struct fault *why);
ssize_t tls_write(struct tls *t, const char *at, size_t len, struct fault *why);
short tls_wants(const struct tls *t);

#endif
