/*
 * metrics_server.h - serves metrics and health over HTTP: --listen
 *
 * The run writes its figures when they are consistent, between records; a
 * thread of libmicrohttpd serves the text that was written last.  Neither waits
 * for the other, so that a client that is slow does not delay the run.
 *
 *     /metrics   the text for Prometheus; 503 before the first one
 *     /healthz   200 while the run makes progress, else 503 and a sentence
 */
#ifndef METRICS_SERVER_H
#define METRICS_SERVER_H

#include <stdint.h>
#include <stdio.h>

#include "fault.h"

struct metrics_server;

/* The run counts as stuck if it has not called metrics_server_alive() for this
   time. */
#define METRICS_SERVER_SILENCE UINT64_C(30000000000) /* ns */

/* Begins to serve at an address that listening_socket_open() takes.  Returns
   NULL and a reason if that is not possible. */
struct metrics_server *metrics_server_open(const char *address,
                                           struct fault *why);

/* Returns the address with the port that was chosen: "127.0.0.1:9100". */
const char *metrics_server_address(const struct metrics_server *s);

/* Ends connections, whatever they wait for.  The server may be NULL. */
void metrics_server_close(struct metrics_server *s);

/* Reports that the run makes progress.  trouble is a sentence for /healthz, or
   NULL if there is none. */
void metrics_server_alive(struct metrics_server *s, const char *trouble);

/* Returns when the figures are to be written again, by clock_now(). */
uint64_t metrics_server_due(const struct metrics_server *s);

/* Return a stream for the figures, or NULL if there is no memory, and replace
   the text that is served by what was written to it. */
FILE *metrics_server_begin(struct metrics_server *s);
void metrics_server_publish(struct metrics_server *s, FILE *out);

#endif
