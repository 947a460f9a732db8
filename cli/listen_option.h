/*
 * listen_option.h - begins to serve metrics and health over HTTP: --listen
 */
#ifndef LISTEN_OPTION_H
#define LISTEN_OPTION_H

#include "metrics_server.h"

/*
 * Sets *server, or leaves it alone if address is NULL.  Prints the address if
 * the system chose the port.  Returns CLI_GO, or CLI_TROUBLE after a message.
 */
int listen_from_option(struct metrics_server **server, const char *address);

#endif
